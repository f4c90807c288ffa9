"""`python -m metronix.embedded.run [--home DIR] [--temporary] -- COMMAND...`: a command with its services around it.

Attaches to the services of a running home, or starts PostgreSQL and Redis, migrates, runs the command and stops them.
The exit code is the command's; a signal reaches the command first and the services after it has ended.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from metronix.embedded.attach import services_of
from metronix.embedded.home import Home, home_path, open_home
from metronix.embedded.outside import without_given
from metronix.embedded.problems import StartProblem
from metronix.embedded.temporary_home import temporary_home

FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Ended(BaseException):
    """A signal came while no command ran."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, run, and return the exit code."""
    options = _parser().parse_args(arguments)
    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    if not command:
        _parser().error("nothing to run: give a command after --")
    with _signals_raise():
        try:
            with _home(options) as home:
                what = " ".join(command)[:60]
                inherited = without_given(os.environ) if options.temporary else dict(os.environ)
                with services_of(home, what, inherited=inherited, durable=not options.temporary) as environment:
                    return _run(command, environment)
        except StartProblem as problem:
            print(f"{problem.message} {problem.advice}", file=sys.stderr)
            return 1
        except Ended as ended:
            return 128 + ended.number


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m metronix.embedded.run", description=__doc__)
    parser.add_argument("--home", type=Path, help="instead of METRONIX_HOME")
    parser.add_argument("--temporary", action="store_true", help="in a home of its own that is removed afterwards")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="-- COMMAND...")
    return parser


@contextmanager
def _home(options: argparse.Namespace) -> Iterator[Home]:
    if options.temporary:
        with temporary_home(options.home) as home:
            yield home
    else:
        yield open_home(options.home or home_path())


@contextmanager
def _signals_raise() -> Iterator[None]:
    def leave(number: int, frame: FrameType | None) -> None:
        raise Ended(number)

    before = {number: signal.signal(number, leave) for number in FORWARDED}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _run(command: Sequence[str], environment: dict[str, str]) -> int:
    """Run the command to its end; signals are passed on, and it decides what they mean."""
    try:
        child = subprocess.Popen(command, env=environment)
    except OSError as problem:
        raise StartProblem(f"{command[0]} cannot be run: {problem.strerror}.", "Check the command's name.") from problem

    def forward(number: int, frame: FrameType | None) -> None:
        # The terminal sends Ctrl-C to the whole foreground group, so the command has that one already.
        if not (number == signal.SIGINT and sys.stdin.isatty()):
            child.send_signal(number)

    before = {number: signal.signal(number, forward) for number in FORWARDED}
    try:
        code = child.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())
