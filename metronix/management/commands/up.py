"""`manage.py up`: the whole platform, embedded services included, by one command."""

from __future__ import annotations

import io
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from metronix import env
from metronix.embedded.home import open_home
from metronix.embedded.options import UpOptions, refuse_open_host, refuse_unknown_host
from metronix.embedded.platform import Platform
from metronix.embedded.problems import StartProblem
from metronix.start_check import refuse_bad_settings


class Command(BaseCommand):
    """Parses the options and hands over to metronix.embedded.platform."""

    help = "Start PostgreSQL, Redis, migrations, web, worker and beat; Ctrl-C stops everything."
    # The database that checks would ask for is what this command is about to start.
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Options; each has its environment variable."""
        parser.add_argument("--host", default=env.text("HOST", "127.0.0.1"), help="address to serve on (HOST)")
        parser.add_argument("--port", default=env.text("PORT", "8000"), help="port to serve on (PORT)")
        parser.add_argument("--workers", default=env.text("WEB_WORKERS", "1"), help="web processes (WEB_WORKERS)")
        parser.add_argument(
            "--concurrency",
            default=env.text("CELERY_CONCURRENCY", "1"),
            help="tasks worked on at once (CELERY_CONCURRENCY)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Run until a signal comes."""
        if isinstance(sys.stdout, io.TextIOWrapper):
            # A terminal without UTF-8 gets a question mark for the tick rather than a traceback.
            sys.stdout.reconfigure(errors="replace", line_buffering=True)
        try:
            wanted = UpOptions(
                host=options["host"],
                port=_within("PORT", options["port"], 1, 65_535),
                web_workers=_within("WEB_WORKERS", options["workers"], 1, 64),
                celery_concurrency=_within("CELERY_CONCURRENCY", options["concurrency"], 1, 64),
            )
            refuse_bad_settings()
            refuse_unknown_host(wanted.host)
            refuse_open_host(
                wanted.host,
                guarded=settings.AUTH_ENABLED or bool(settings.METRONIX_MCP_API_KEY),
                allowed=settings.METRONIX_ALLOW_OPEN,
            )
            home = open_home(settings.METRONIX_HOME)
            Platform(home, wanted, self.stdout.write, auth=settings.AUTH_ENABLED).run()
        except StartProblem as problem:
            raise CommandError(f"{problem.message}\n{problem.advice}") from problem


def _within(name: str, given: str, lowest: int, highest: int) -> int:
    if not given.isdecimal() or not lowest <= int(given) <= highest:
        raise StartProblem(f"{name} is {given}.", f"Give a number between {lowest} and {highest}.")
    return int(given)
