"""`manage.py mcp_stdio`: the MCP server for a client that starts its servers itself."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from mcp_gateway.registry import ALL, TOOLSETS
from mcp_gateway.stdio import serve
from metronix.errors import MetronixError


class Command(BaseCommand):
    """Prints nothing of its own: stdout belongs to the protocol."""

    help = "Serve MCP on standard input and output. Identity: METRONIX_API_KEY or HYPHAE_API_KEY, else the local user."

    def add_arguments(self, parser: CommandParser) -> None:
        """Options as in the contract."""
        parser.add_argument("--toolset", default=ALL, choices=sorted(TOOLSETS))
        parser.add_argument("--workspace", help="the workspace of calls that name none")

    def handle(self, *args: Any, **options: Any) -> None:
        """Serve until the input ends."""
        try:
            serve(options["toolset"], options["workspace"])
        except MetronixError as problem:
            raise CommandError(f"{problem.message} {problem.hint}".strip()) from None
