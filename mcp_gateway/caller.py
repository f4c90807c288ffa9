"""What a door knows about one call before the tool is looked at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from metronix.tenancy.principal import Principal

Transport = Literal["mcp-http", "mcp-stdio"]
Progress = Callable[[int, int], None]
"""`(done, total)`, called from the thread that does the work; never blocks and never raises."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The authenticated caller of one request.

    `workspace` is the door's own choice (the `X-Workspace-Id` header, or `--workspace` on stdio) and serves tools
    that have no `workspace_id` argument. `arguments` replaces the tool's arguments where the transport could not
    carry them (text that is not valid Unicode), so that the schema can name the field instead of the parser failing.
    """

    principal: Principal
    request_id: str
    transport: Transport
    workspace: str | None = None
    arguments: dict[str, Any] | None = None
