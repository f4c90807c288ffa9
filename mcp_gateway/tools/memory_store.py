"""`memory_store`: keep one memory."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, cast

from pydantic import Field

from mcp_gateway import fields as f
from mcp_gateway.outputs import BOOLEAN, TEXT, fields
from mcp_gateway.registry import Call, Family, Tool
from mcp_gateway.schemas import Arguments
from memory.services import store_record
from metronix.tenancy.principal import Principal


class Input(Arguments):
    """Arguments of `memory_store`."""

    content: Annotated[f.Content, Field(description="What to remember, as one self-contained statement.")]
    agent_id: f.AgentId
    workspace_id: f.WorkspaceId = "default"
    scope: Annotated[
        f.Scope,
        Field(description="per_agent: this agent alone; global: every agent of the workspace; session: until it ends."),
    ] = "per_agent"
    kind: Annotated[f.Kind, Field(description="fact, preference, or pinned (never aged out).")] = "fact"
    tags: Annotated[f.Tags, Field(description="Labels to filter by later, kept exactly as given.")] = Field(default=[])
    importance_score: Annotated[f.Importance, Field(description="0 (trivia) to 1 (vital).")] = 0.5
    source_type: Annotated[f.SourceType, Field(description='Where it came from, such as "conversation".')] = ""
    session_id: Annotated[
        f.SessionId | None, Field(description="Working session it belongs to; required when scope is session.")
    ] = None
    ttl_seconds: Annotated[
        int | None, Field(ge=1, le=f.MAX_INT, description="Seconds after which it expires; absent: never.")
    ] = None
    valid_until: Annotated[
        f.Time | None, Field(description="Last moment at which the statement holds (RFC 3339, with offset).")
    ] = None
    metadata: Annotated[dict[str, Any] | None, Field(description="Any JSON object, up to 32 KiB.")] = None


def handle(principal: Principal, arguments: Input, call: Call) -> dict[str, Any]:
    """Store, or find the equal record that is already there."""
    outcome = store_record(
        principal,
        content=arguments.content,
        scope=arguments.scope,
        kind=arguments.kind,
        tags=tuple(arguments.tags),
        importance_score=arguments.importance_score,
        source_type=arguments.source_type,
        session_id=arguments.session_id,
        ttl_seconds=arguments.ttl_seconds,
        valid_until=cast("datetime | None", arguments.valid_until),
        metadata=arguments.metadata,
    )
    record = outcome.record
    return {"id": str(record.id), "content_hash": record.content_hash, "deduped": outcome.deduped}


TOOLS = [
    Tool(
        name="memory_store",
        family=Family.METRONIX,
        description=(
            "Remember one fact, preference or decision for later calls. Use it when you learn something that should "
            "outlive this conversation. Not for whole documents (metronix_store), for several memories at once "
            "(memory_batch_store), or to change one that exists (memory_update). Storing the same text again is "
            "harmless: the existing id comes back with deduped true. "
            'Example: {"content": "Ada prefers dark mode", "agent_id": "hermes", "tags": ["ui"]}'
        ),
        arguments=Input,
        reply=fields(id=TEXT, content_hash=TEXT, deduped=BOOLEAN),
        handler=handle,
        read_only=False,
        idempotent=True,
    )
]
