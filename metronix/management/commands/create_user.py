"""`manage.py create_user`: add a person, or give one a new password."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from metronix.errors import MetronixError
from metronix.tenancy.bootstrap import readable_password
from metronix.tenancy.models import User
from metronix.tenancy.principal import EVERY_WORKSPACE, Door, Principal, PrincipalType, Role
from metronix.tenancy.services import create_user, set_password, update_user

OPERATOR = Principal(
    id="command",
    type=PrincipalType.HUMAN,
    role=Role.ADMIN,
    grants=frozenset({EVERY_WORKSPACE}),
    door=Door.COMMAND,
)


class Command(BaseCommand):
    """A made-up password goes to stdout alone, once; one from stdin is printed nowhere."""

    help = "Create a user, or with --reset change an existing one's password (and role or grants, where given)."

    def add_arguments(self, parser: CommandParser) -> None:
        """Options as in the contract."""
        parser.add_argument("email", help="the address they log in with")
        parser.add_argument("--reset", action="store_true", help="the user exists: set a new password")
        parser.add_argument("--role", choices=[role.value for role in Role], help="default: viewer")
        parser.add_argument("--workspaces", help='ids, separated by commas, or "*" for every one')
        parser.add_argument("--name", help="the name shown to others")
        parser.add_argument("--password-stdin", action="store_true", help="read the password from standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        """Create or reset, then say how to log in."""
        made_up = not options["password_stdin"]
        password = readable_password() if made_up else sys.stdin.readline().rstrip("\r\n")
        given = options["workspaces"]
        workspaces = None if given is None else [part.strip() for part in given.split(",") if part.strip()]
        role = Role(options["role"]) if options["role"] else None
        try:
            if options["reset"]:
                user = self.reset(options["email"], password, role, workspaces, options["name"])
            else:
                user = create_user(
                    OPERATOR,
                    email=options["email"],
                    password=password,
                    role=role or Role.VIEWER,
                    workspaces=workspaces or [],
                    display_name=options["name"] or "",
                    is_staff=True,
                )
        except MetronixError as problem:
            raise CommandError(f"{problem.message} {problem.hint}".strip()) from None
        self.stderr.write(f"{user.email}: {user.role}" + ("; password, shown once:" if made_up else ""))
        if made_up:
            self.stdout.write(password)

    def reset(
        self, email: str, password: str, role: Role | None, workspaces: list[str] | None, name: str | None
    ) -> User:
        """A new password for an existing user, enabled again; role and grants only where given."""
        user = User.objects.filter(email=email.strip().lower()).first()
        if user is None:
            raise CommandError(f"There is no user {email}; leave out --reset to create one.")
        set_password(OPERATOR, user_id=user.pk, password=password)
        return update_user(
            OPERATOR, user_id=user.pk, role=role, workspaces=workspaces, display_name=name, is_active=True
        )
