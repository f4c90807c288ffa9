"""`manage.py create_api_key`: issue a key and print it once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from metronix.errors import MetronixError
from metronix.tenancy.credentials import issue_key
from metronix.tenancy.principal import PrincipalType, Role


class Command(BaseCommand):
    """The key goes to stdout alone, so that it can be piped; what it may do goes to stderr."""

    help = "Issue an API key for a workspace. The key is printed once and cannot be read again."

    def add_arguments(self, parser: CommandParser) -> None:
        """Options as in the contract."""
        parser.add_argument("--workspace", required=True, help="the workspace the key opens")
        parser.add_argument("--agent", help="the only agent the key may act as")
        parser.add_argument("--role", default=Role.EDITOR.value, choices=[role.value for role in Role])
        parser.add_argument("--principal", default=PrincipalType.MODEL.value, choices=[t.value for t in PrincipalType])
        parser.add_argument("--label", default="", help="what the key is for")
        parser.add_argument("--days", type=int, help="expires after this many days (default: never)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Issue and print."""
        days = options["days"]
        if days is not None and days < 1:
            raise CommandError("--days must be at least 1.")
        if len(options["label"]) > 128:
            raise CommandError("--label may have at most 128 characters.")
        try:
            row, raw_key = issue_key(
                workspace_id=options["workspace"],
                agent_id=options["agent"],
                role=Role(options["role"]),
                principal_type=PrincipalType(options["principal"]),
                label=options["label"],
                expires_at=timezone.now() + timedelta(days=days) if days else None,
                created_by="command",
            )
        except MetronixError as problem:
            raise CommandError(f"{problem.message} {problem.hint}".strip()) from None
        agent = f" as agent {row.agent_id}" if row.agent_id else ""
        self.stderr.write(f"{row.role} in {row.workspace_id}{agent}; shown once:")
        self.stdout.write(raw_key)
