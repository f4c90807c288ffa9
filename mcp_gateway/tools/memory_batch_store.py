"""`memory_batch_store`: keep several memories, each with its own outcome."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from mcp_gateway import fields as f
from mcp_gateway.envelope import error_object
from mcp_gateway.outputs import BOOLEAN, COUNT, ERROR_OBJECT, TEXT_OR_NULL, fields, many
from mcp_gateway.registry import Call, Family, Tool
from mcp_gateway.schemas import Arguments, flatten
from memory.services import store_batch
from metronix.tenancy.principal import Principal


class Item(Arguments):
    """One memory of a batch, as published; the service checks each item by itself."""

    content: Annotated[f.Content, Field(description="What to remember.")]
    tags: Annotated[f.Tags, Field(description="Labels of this memory.")] = Field(default=[])


Items = Annotated[
    list[dict[str, Any]],
    Field(min_length=1, max_length=100),
    WithJsonSchema({"type": "array", "minItems": 1, "maxItems": 100, "items": flatten(Item.model_json_schema())}),
]
"""Strict in the published form, loose here: a bad item must be its own error and not the whole call's."""


class Input(Arguments):
    """Arguments of `memory_batch_store`."""

    records: Annotated[Items, Field(description="1 to 100 memories, stored in this order.")]
    agent_id: f.AgentId
    workspace_id: f.WorkspaceId = "default"
    scope: Annotated[f.Scope, Field(description="Scope of all of them.")] = "per_agent"
    importance_score: Annotated[f.Importance, Field(description="Importance of all of them, 0 to 1.")] = 0.5
    source_type: Annotated[f.SourceType, Field(description="Where all of them came from.")] = ""
    session_id: Annotated[f.SessionId | None, Field(description="Working session; required when scope is session.")] = (
        None
    )


def handle(principal: Principal, arguments: Input, call: Call) -> dict[str, Any]:
    """Store the items in order; `stored` counts new rows only."""
    outcomes = store_batch(
        principal,
        items=arguments.records,
        scope=arguments.scope,
        importance_score=arguments.importance_score,
        source_type=arguments.source_type,
        session_id=arguments.session_id,
        on_progress=call.on_progress,
    )
    results = [
        {
            "id": str(outcome.record.id) if outcome.record else None,
            "content_hash": outcome.record.content_hash if outcome.record else None,
            "deduped": outcome.deduped,
            "error": error_object(outcome.error, call.caller.request_id) if outcome.error else None,
        }
        for outcome in outcomes
    ]
    return {
        "stored": sum(1 for outcome in outcomes if outcome.record and not outcome.deduped),
        "deduped": sum(1 for outcome in outcomes if outcome.record and outcome.deduped),
        "results": results,
    }


RESULT = fields(
    id=TEXT_OR_NULL,
    content_hash=TEXT_OR_NULL,
    deduped=BOOLEAN,
    error={"anyOf": [{"type": "null"}, ERROR_OBJECT]},
)

TOOLS = [
    Tool(
        name="memory_batch_store",
        family=Family.METRONIX,
        description=(
            "Remember up to 100 statements in one call; each has its own result, and a bad one does not stop the "
            "others. Use it after a long exchange or an import. Not for a single memory (memory_store) or a document "
            "(metronix_store). Reports progress when asked to. "
            'Example: {"agent_id": "hermes", "records": [{"content": "Ada prefers dark mode", "tags": ["ui"]}]}'
        ),
        arguments=Input,
        reply=fields(stored=COUNT, deduped=COUNT, results=many(RESULT)),
        handler=handle,
        read_only=False,
        idempotent=True,
    )
]
