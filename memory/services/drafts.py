"""A record before it is stored: checked fields, no derived ones yet."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone

from memory import fields
from memory.models import MemoryRecord, Session
from memory.partition import Partition
from memory.services.preparation import Prepared
from memory.vocabulary import Category, Kind, Scope
from metronix.errors import InvalidParams
from metronix.tenancy.principal import Principal


@dataclass(frozen=True)
class Draft:
    """What a caller wants stored, with every field checked. Times are aware."""

    content: str
    scope: Scope = Scope.PER_AGENT
    kind: Kind = Kind.FACT
    category: Category = Category.CONTEXT_NOTE
    tags: list[str] = field(default_factory=list)
    importance_score: float = 0.5
    source_type: str = ""
    session_key: str | None = None
    project: str = ""
    cell_type: str | None = None
    ttl_expires_at: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    created_at: datetime | None = None
    metadata: dict[str, Any] = field(default_factory=dict)

    def partition(self, principal: Principal) -> Partition:
        """Where this principal's record of it would lie."""
        assert principal.agent_id is not None
        return Partition.named(principal.workspace_id, principal.agent_id, self.scope, self.session_key)


def draft(
    *,
    content: Any,
    scope: Any = Scope.PER_AGENT,
    kind: Any = Kind.FACT,
    category: Any = Category.CONTEXT_NOTE,
    tags: Any = (),
    importance_score: Any = 0.5,
    source_type: Any = "",
    session_id: Any = None,
    ttl_seconds: Any = None,
    ttl_expires_at: datetime | None = None,
    valid_until: datetime | None = None,
    metadata: Any = None,
    created_at: datetime | None = None,
    project: Any = "",
) -> Draft:
    """Check every field; the first bad one is the InvalidParams raised."""
    scope = fields.member("scope", scope, Scope)
    life = fields.ttl_seconds(ttl_seconds)
    expiry = fields.future("ttl_expires_at", ttl_expires_at)
    if life is not None and expiry is not None:
        raise InvalidParams("ttl_seconds and ttl_expires_at exclude each other.", field="ttl_seconds")
    if life is None and expiry is None and scope is Scope.SESSION:
        life = settings.METRONIX_MEMORY_SESSION_TTL
    if life is not None:
        expiry = timezone.now() + timedelta(seconds=life)
    return Draft(
        content=fields.content(content),
        scope=scope,
        kind=fields.member("kind", kind, Kind),
        category=fields.member("category", category, Category),
        tags=fields.tags(tags),
        importance_score=fields.fraction("importance_score", importance_score),
        source_type=fields.text("source_type", source_type, longest=fields.SOURCE_TYPE_LENGTH, blank=True),
        session_key=fields.session_id(session_id, scope),
        project=fields.text("project", project, longest=fields.PROJECT_LENGTH, blank=True),
        ttl_expires_at=expiry,
        valid_until=fields.future("valid_until", valid_until),
        created_at=created_at,
        valid_from=created_at,
        metadata=fields.metadata(metadata),
    )


def build_record(principal: Principal, given: Draft, prepared: Prepared, session: Session | None) -> MemoryRecord:
    """The unsaved row. Provenance comes from the principal, never from the caller's arguments."""
    assert principal.agent_id is not None
    now = timezone.now()
    return MemoryRecord(
        workspace_id=principal.workspace_id,
        agent_id=principal.agent_id,
        scope=given.scope.value,
        kind=given.kind.value,
        category=given.category.value,
        cell_type=given.cell_type,
        layer="L0",
        project=given.project,
        session=session,
        session_key=given.session_key,
        source_type=given.source_type,
        content=given.content,
        tags=given.tags,
        importance_score=given.importance_score,
        metadata=given.metadata,
        content_hash=prepared.content_hash,
        simhash=prepared.simhash,
        term_ids=prepared.term_ids,
        term_weights=prepared.term_weights,
        term_count=prepared.term_count,
        embedding_status=prepared.embedding_status.value,
        ttl_expires_at=given.ttl_expires_at,
        valid_until=given.valid_until,
        valid_from=given.valid_from or now,
        content_since=given.created_at or now,
        stored_at=now,
        created_at=given.created_at or now,
        updated_at=now,
        source_agent=principal.agent_id,
        principal=principal.id,
    )
