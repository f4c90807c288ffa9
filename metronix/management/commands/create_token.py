"""`manage.py create_token`: a token for a user, for programs that speak for them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError, CommandParser

from metronix.tenancy.login import user_token
from metronix.tenancy.models import User


class Command(BaseCommand):
    """The token goes to stdout alone. It carries no `amr`: nobody typed a password, so it never counts as a person."""

    help = "Print a user token (JWT). It ends early when the user is disabled or loses a grant."

    def add_arguments(self, parser: CommandParser) -> None:
        """Options as in the contract."""
        parser.add_argument("email", help="the user's e-mail address")
        parser.add_argument("--hours", type=int, default=24, help="how long it is valid (default: 24)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Issue and print."""
        if not 1 <= options["hours"] <= 24 * 3650:
            raise CommandError("--hours must lie between 1 and 87,600.")
        user = User.objects.filter(email=options["email"].strip().lower()).first()
        if user is None:
            raise CommandError(f"There is no user {options['email']}.")
        if not user.is_active:
            raise CommandError(f"{user.email} is disabled.")
        try:
            self.stdout.write(user_token(user, timedelta(hours=options["hours"])))
        except ImproperlyConfigured as problem:
            raise CommandError(str(problem)) from None
