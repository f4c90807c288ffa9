#!/usr/bin/env python
"""Django's command-line entry point; `make manage ARGS="..."` runs it inside the platform's environment."""

import os
import sys


def main() -> None:
    """Run one management command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "metronix.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    from metronix.embedded.problems import StartProblem

    try:
        execute_from_command_line(sys.argv)
    except (ImproperlyConfigured, StartProblem) as problem:
        if "--traceback" in sys.argv:
            raise
        sys.exit(f"The settings are wrong: {problem}")


if __name__ == "__main__":
    main()
