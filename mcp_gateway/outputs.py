"""Published output schemas.

Each is `anyOf: [success, error]`, because the TypeScript SDK validates the structured content of an error against it
as well and would hide the error from the model otherwise.
"""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
BOOLEAN: Schema = {"type": "boolean"}
COUNT: Schema = {"type": "integer", "minimum": 0}
NUMBER: Schema = {"type": "number"}
NUMBER_OR_NULL: Schema = {"type": ["number", "null"]}
OBJECT: Schema = {"type": "object"}
TEXTS: Schema = {"type": "array", "items": TEXT}


def fields(*optional: str, **properties: Schema) -> Schema:
    """An object whose named properties are all required, except those listed first."""
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
    }


def many(item: Schema) -> Schema:
    """A list of `item`."""
    return {"type": "array", "items": item}


ERROR_OBJECT = fields(code=TEXT, message=TEXT, hint=TEXT, details=OBJECT)
ERROR = fields(error=ERROR_OBJECT)

RECORD = fields(
    "kind",
    "source_type",
    "ttl_expires_at",
    "session_id",
    "metadata",
    id=TEXT,
    workspace_id=TEXT,
    agent_id=TEXT_OR_NULL,
    scope=TEXT,
    kind=TEXT,
    source_type=TEXT,
    content=TEXT,
    tags=TEXTS,
    importance_score=NUMBER,
    ttl_expires_at=TEXT_OR_NULL,
    content_hash=TEXT,
    created_at=TEXT,
    session_id=TEXT_OR_NULL,
    metadata=OBJECT,
    status=TEXT,
)
"""A memory record; more properties than these travel with it."""


def output(success: Schema) -> Schema:
    """A tool's `outputSchema`."""
    return {"type": "object", "anyOf": [success, ERROR]}
