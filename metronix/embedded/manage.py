"""`python -m metronix.embedded.manage COMMAND...`: a management command with its home's services around it.

Where the services do not run, the command's arguments are checked before they are started: a slip should not cost the
time of a start.
"""

from __future__ import annotations

import os
import sys

from metronix.embedded.home import home_path, open_home
from metronix.embedded.home_lock import current_holder
from metronix.embedded.one_off import manage_py
from metronix.embedded.problems import StartProblem
from metronix.embedded.run import main as run_with_services

ALONE = {"help", "version", "--help", "-h", "--version", "up"}
"""Commands that use no service, or start their own."""


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    command = [sys.executable, str(manage_py()), *arguments]
    try:
        if not current_holder(open_home(home_path())).ready and needs_no_services(arguments):
            os.execv(command[0], command)
    except StartProblem as problem:
        print(f"{problem.message} {problem.advice}", file=sys.stderr)
        return 1
    return run_with_services(["--", *command])


def needs_no_services(arguments: list[str]) -> bool:
    """True when the command will do no more than print something: its help, or what is wrong with its arguments."""
    if not arguments or arguments[0] in ALONE or {"-h", "--help"} & set(arguments):
        return True
    # Django's settings put the home's addresses into the environment, where they would look like the caller's own.
    before = dict(os.environ)
    try:
        return not _parses(arguments)
    finally:
        os.environ.clear()
        os.environ.update(before)


def _parses(arguments: list[str]) -> bool:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "metronix.settings")
    import django
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import get_commands, load_command_class
    from django.core.management.base import BaseCommand, CommandError

    try:
        django.setup()
        app = get_commands().get(arguments[0])
        if app is None:
            return False
        command = app if isinstance(app, BaseCommand) else load_command_class(app, arguments[0])
        command.create_parser("manage.py", arguments[0]).parse_args(arguments[1:])
    except (CommandError, ImproperlyConfigured):
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
