"""A record as callers see it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from memory.models import MemoryRecord
from memory.search import Hit


def moment(value: datetime | None) -> str | None:
    """ISO 8601 in UTC with its offset."""
    return value.astimezone(UTC).isoformat() if value is not None else None


def score(value: float) -> float:
    """Scores are rounded to six places in replies."""
    return round(value, 6)


def hit_payload(hit: Hit) -> dict[str, Any]:
    """A found record with the parts of its score."""
    parts = ("score", "dense_score", "vector_score", "lexical_score", "graph_score", "session_boost")
    return {
        "record": record_payload(hit.record),
        **{name: score(getattr(hit, name)) for name in parts},
        "rank": hit.rank,
    }


def record_payload(record: MemoryRecord) -> dict[str, Any]:
    """The true row, JSON-ready; the same for MCP and REST."""
    return {
        "id": str(record.id),
        "workspace_id": record.workspace_id,
        "agent_id": record.agent_id,
        "scope": record.scope,
        "kind": record.kind,
        "category": record.category,
        "project": record.project,
        "session_id": record.session_key,
        "source_type": record.source_type,
        "content": record.content,
        "tags": list(record.tags),
        "importance_score": score(record.importance_score),
        "metadata": record.metadata,
        "content_hash": record.content_hash,
        "status": record.status,
        "verification_state": record.verification_state,
        "superseded_by": str(record.superseded_by_id) if record.superseded_by_id else None,
        "embedding_status": record.embedding_status,
        "freshness_score": score(record.freshness_score),
        "evidence_count": record.evidence_count,
        "revision": record.revision,
        "version": record.version,
        "valid_from": moment(record.valid_from),
        "valid_until": moment(record.valid_until),
        "ttl_expires_at": moment(record.ttl_expires_at),
        "created_at": moment(record.created_at),
        "updated_at": moment(record.updated_at),
        "last_accessed_at": moment(record.last_accessed_at),
    }
