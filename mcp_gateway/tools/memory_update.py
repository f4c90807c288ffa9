"""`memory_update`: correct one memory in place."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from mcp_gateway import fields as f
from mcp_gateway.outputs import TEXT, TEXTS, fields
from mcp_gateway.registry import Call, Family, Tool
from mcp_gateway.schemas import Arguments
from memory.services import update_record
from metronix.tenancy.principal import Principal


class Input(Arguments):
    """Arguments of `memory_update`."""

    record_id: Annotated[f.RecordId, Field(description="Id of the memory to change.")]
    workspace_id: f.WorkspaceId = "default"
    content: Annotated[f.Content | None, Field(description="New text; the old one stays in the history.")] = None
    tags: Annotated[f.Tags | None, Field(description="Replaces all tags; an empty list removes them.")] = None
    importance_score: Annotated[f.Importance | None, Field(description="New importance, 0 to 1.")] = None


def handle(principal: Principal, arguments: Input, call: Call) -> dict[str, Any]:
    """Change the fields that were given; the service refuses an empty change."""
    outcome = update_record(
        principal,
        record_id=arguments.record_id,
        content=arguments.content,
        tags=arguments.tags,
        importance_score=arguments.importance_score,
    )
    return {
        "id": str(outcome.record.id),
        "content_hash": outcome.record.content_hash,
        "updated_fields": list(outcome.updated_fields),
    }


TOOLS = [
    Tool(
        name="memory_update",
        family=Family.METRONIX,
        description=(
            "Change the text, tags or importance of a memory you have the id of; give at least one of them. Use it "
            "when a remembered statement has changed or was mistaken. Not to add an unrelated fact (memory_store) or "
            "to forget one (memory_delete). A text equal to another live memory is refused with CONFLICT. "
            'Example: {"record_id": "3f2b8c1e-5d7a-4f7e-9a51-0c2f6b1d9e77", "content": "Ada prefers light mode"}'
        ),
        arguments=Input,
        reply=fields(id=TEXT, content_hash=TEXT, updated_fields=TEXTS),
        handler=handle,
        read_only=False,
        destructive=True,
        idempotent=True,
    )
]
