"""`memory_list`: page through an agent's memories."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from mcp_gateway import fields as f
from mcp_gateway.outputs import COUNT, RECORD, fields, many
from mcp_gateway.registry import Call, Family, Tool
from mcp_gateway.schemas import Arguments
from memory.presentation import record_payload
from memory.services import list_records
from metronix.tenancy.principal import Principal


class Input(Arguments):
    """Arguments of `memory_list`."""

    agent_id: f.AgentId
    workspace_id: f.WorkspaceId = "default"
    scope: Annotated[f.Scope | None, Field(description="Only this scope.")] = None
    tags: Annotated[f.Tags | None, Field(description="Only memories that carry all of these tags.")] = None
    limit: Annotated[int, Field(ge=1, le=100, description="Memories per page.")] = 20
    offset: Annotated[f.Offset, Field(description="How many to skip.")] = 0
    status: Annotated[f.Statuses, Field(description='Statuses to include; ["all"] for every one.')] = Field(
        default=["active"]
    )


def handle(principal: Principal, arguments: Input, call: Call) -> dict[str, Any]:
    """One page, newest first."""
    page = list_records(
        principal,
        scope=arguments.scope,
        tags=arguments.tags,
        status=list(arguments.status),
        limit=arguments.limit,
        offset=arguments.offset,
    )
    records = [record_payload(record) for record in page.records]
    return {
        "records": records,
        "count": len(records),
        "total": page.total,
        "limit": arguments.limit,
        "offset": arguments.offset,
    }


TOOLS = [
    Tool(
        name="memory_list",
        family=Family.METRONIX,
        description=(
            "List an agent's memories, newest first, with a true total. Use it to review or export what is "
            "remembered, or to find ids. Not to answer a question (memory_search ranks by relevance). "
            'Example: {"agent_id": "hermes", "tags": ["ui"], "limit": 50}'
        ),
        arguments=Input,
        reply=fields(records=many(RECORD), count=COUNT, total=COUNT, limit=COUNT, offset=COUNT),
        handler=handle,
        read_only=True,
        idempotent=True,
    )
]
