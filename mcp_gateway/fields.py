"""The argument types that several tools share; most of them are also those of the REST routes."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from metronix.strict_fields import (
    MAX_INT,
    AgentId,
    Content,
    Importance,
    Kind,
    Offset,
    Query,
    RecordId,
    Scope,
    SessionId,
    SourceType,
    Status,
    Statuses,
    Tag,
    Tags,
    Time,
    not_blank,
    parse_time,
    storable,
)

WorkspaceId = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9_-]{0,64}$",
        max_length=64,
        description='Workspace to work in; "default" picks the caller\'s own.',
    ),
]

__all__ = [
    "MAX_INT",
    "AgentId",
    "Content",
    "Importance",
    "Kind",
    "Offset",
    "Query",
    "RecordId",
    "Scope",
    "SessionId",
    "SourceType",
    "Status",
    "Statuses",
    "Tag",
    "Tags",
    "Time",
    "WorkspaceId",
    "not_blank",
    "parse_time",
    "storable",
]
