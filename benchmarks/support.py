"""What the benchmarks share: a platform of their own, an MCP client on plain HTTP, tables."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import httpx

from tests.support.live import LivePlatform, live_platform_process


@contextmanager
def platform(**environment: str) -> Iterator[LivePlatform]:
    """A running platform in a temporary home, and this process set up for its database (as the application role)."""
    with live_platform_process(environment or None) as live:
        os.environ.update(live.environment)
        os.environ["DJANGO_SETTINGS_MODULE"] = "metronix.settings"
        import django

        django.setup()
        logging.getLogger("httpx").setLevel(logging.WARNING)
        yield live


def manage(live: LivePlatform, *arguments: str) -> str:
    """Run a management command against the platform; its output."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        env={**os.environ, **live.environment},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout.strip()


class Mcp:
    """Calls tools over Streamable HTTP, one connection, no SDK in between."""

    def __init__(self, base_url: str, agent: str = "bench") -> None:
        self.http = httpx.Client(base_url=base_url, timeout=120, headers={"X-Agent-Id": agent})

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured content of a successful call."""
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        result = self.http.post("/mcp", json=message).json()["result"]
        if result["isError"]:
            raise RuntimeError(f"{tool}: {result['structuredContent']}")
        return dict(result["structuredContent"])


def folded(workspaces: Sequence[str]) -> bool:
    """Whether all changes of the workspaces' document frequencies are counted in."""
    from memory.models import LexiconChange
    from metronix.tenancy.context import workspaces_visible

    with workspaces_visible(*workspaces):
        return not LexiconChange.objects.exists()


def heading(title: str) -> None:
    """What ran, on which commit, when."""
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    print(f"\n{title}  ({commit.stdout.strip() or 'no commit'}, {datetime.now(UTC):%Y-%m-%d %H:%M} UTC)\n")


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print rows under a header, floats to three places."""
    texts = [[f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows]
    widths = [max(len(line[column]) for line in [list(header), *texts]) for column in range(len(header))]
    for line in [list(header), ["-" * width for width in widths], *texts]:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
