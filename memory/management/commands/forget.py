"""`manage.py forget`: delete for good what an agent, a user or a session has left, or what meets a filter."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory.services.forget import Wanted, forget
from metronix.errors import MetronixError
from metronix.tenancy.access import place
from metronix.tenancy.principal import EVERY_WORKSPACE, Door, Principal, PrincipalType, Role


class Command(BaseCommand):
    """Counts, unless told to delete."""

    help = "Count what would be forgotten; with --delete, forget it. There is no way back."

    def add_arguments(self, parser: CommandParser) -> None:
        """What to forget: all that is given must hold of a record."""
        parser.add_argument("--workspace", help="default: DEFAULT_WORKSPACE_ID")
        parser.add_argument("--agent", help="this agent's records and sessions")
        parser.add_argument("--user", help="what this user (id or e-mail address) or credential has stored")
        parser.add_argument("--session", help="this session with its records")
        parser.add_argument("--scope")
        parser.add_argument("--kind", action="append", default=[])
        parser.add_argument("--status", action="append", default=[])
        parser.add_argument("--source-type", action="append", default=[])
        parser.add_argument("--tag", action="append", default=[])
        parser.add_argument("--delete", action="store_true", help="delete, instead of counting")

    def handle(self, *args: Any, **options: Any) -> None:
        """One line at the end."""
        local = Principal("command", PrincipalType.HUMAN, Role.ADMIN, frozenset({EVERY_WORKSPACE}), Door.COMMAND)
        wanted = Wanted(
            agent_id=options["agent"],
            user=options["user"],
            session_id=options["session"],
            scope=options["scope"],
            kinds=options["kind"],
            statuses=options["status"],
            source_types=options["source_type"],
            tags=options["tag"],
        )
        try:
            principal = place(local, workspace=options["workspace"], agent=None, role=Role.ADMIN)
            report = forget(principal, wanted, dry_run=not options["delete"])
        except MetronixError as problem:
            raise CommandError(f"{problem.message} {problem.hint}".strip()) from None
        where = f"in workspace {principal.workspace_id}"
        if options["delete"]:
            self.stdout.write(f"Forgotten: {report.deleted} records and {report.sessions} sessions {where}.")
        else:
            self.stdout.write(f"Would go: {report.matched} records and {report.sessions} sessions {where}.")
