"""`metronix_status`: is the workspace in working order?"""

from __future__ import annotations

from typing import Any

from mcp_gateway import fields as f
from mcp_gateway.outputs import COUNT, TEXT_OR_NULL, fields
from mcp_gateway.registry import Call, Family, Tool
from mcp_gateway.schemas import Arguments
from metronix.status import workspace_status
from metronix.tenancy.principal import Principal


class Input(Arguments):
    """Arguments of `metronix_status`."""

    workspace_id: f.WorkspaceId = "default"


def handle(principal: Principal, arguments: Input, call: Call) -> dict[str, Any]:
    """The workspace's health, document count, last sync and embedding model."""
    return workspace_status(principal)


TOOLS = [
    Tool(
        name="metronix_status",
        family=Family.METRONIX,
        description=(
            "Say whether a workspace is healthy, how many documents it holds, when it was last synchronised and which "
            "embedding model serves it. Use it first when results look empty or stale. Not a search. "
            'Example: {"workspace_id": "default"}'
        ),
        arguments=Input,
        reply=fields(
            status={"type": "string", "enum": ["healthy", "initializing"]},
            documents=fields(total=COUNT),
            last_sync=TEXT_OR_NULL,
            embedding_model=TEXT_OR_NULL,
        ),
        handler=handle,
        read_only=True,
        idempotent=True,
    )
]
