"""`python -m mcp_gateway --home DIR [--toolset ...]`: MCP on standard input and output for a platform's home.

Attaches to a running platform; otherwise PostgreSQL and Redis run for as long as this process does.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from contextlib import ExitStack, redirect_stdout
from pathlib import Path

from metronix.embedded.attach import services_of
from metronix.embedded.home import open_home
from metronix.embedded.problems import StartProblem


def main() -> int:
    """Find the services, then become the management command."""
    parser = argparse.ArgumentParser(prog="python -m mcp_gateway", description=__doc__)
    parser.add_argument("--home", type=Path, required=True, help="the platform's data directory (METRONIX_HOME)")
    parser.add_argument("--toolset", default="all")
    parser.add_argument("--workspace")
    options = parser.parse_args()
    arguments = ["--toolset", options.toolset]
    if options.workspace is not None:
        arguments += ["--workspace", options.workspace]
    # Clients end their servers by SIGTERM; unwinding stops services of our own and lets go of others'.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    with ExitStack() as stack:
        try:
            # What the services report on their way up must not end up in the protocol.
            with redirect_stdout(sys.stderr):
                environment = stack.enter_context(services_of(open_home(options.home), "mcp stdio"))
        except StartProblem as problem:
            print(f"{problem.message} {problem.advice}", file=sys.stderr)
            return 1
        os.environ.update(environment)
        os.environ["DJANGO_SETTINGS_MODULE"] = "metronix.settings"
        import django
        from django.core.management import call_command
        from django.core.management.base import CommandError

        django.setup()
        try:
            call_command("mcp_stdio", *arguments)
        except CommandError as problem:
            print(problem, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
