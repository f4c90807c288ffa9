"""`memory_delete`: forget one memory for good."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from mcp_gateway import fields as f
from mcp_gateway.outputs import BOOLEAN, fields
from mcp_gateway.registry import Call, Family, Tool
from mcp_gateway.schemas import Arguments
from memory.services import delete_record
from metronix.tenancy.principal import Principal


class Input(Arguments):
    """Arguments of `memory_delete`."""

    record_id: Annotated[f.RecordId, Field(description="Id of the memory, as memory_store or memory_search gave it.")]
    workspace_id: f.WorkspaceId = "default"


def handle(principal: Principal, arguments: Input, call: Call) -> dict[str, Any]:
    """Delete the record with all that was derived from it."""
    return {"success": True, "found": delete_record(principal, record_id=arguments.record_id)}


TOOLS = [
    Tool(
        name="memory_delete",
        family=Family.METRONIX,
        description=(
            "Delete one memory for good, with its versions and everything derived from it. Use it for what is wrong "
            "or must be forgotten. Not to correct a memory (memory_update keeps its history), and not for session "
            "memories, which go when the session ends. found is false when there is no such memory. "
            'Example: {"record_id": "3f2b8c1e-5d7a-4f7e-9a51-0c2f6b1d9e77"}'
        ),
        arguments=Input,
        reply=fields(success=BOOLEAN, found=BOOLEAN),
        handler=handle,
        read_only=False,
        destructive=True,
        idempotent=True,
    )
]
