"""Changing a record in place; a change of content appends a version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError
from django.utils import timezone

from memory import fields
from memory.events import append_event
from memory.models import LexiconChange, MemoryRecord, RecordVersion
from memory.partition import UNIQUE_LIVE_CONTENT, Partition
from memory.services.embedding_models import model_id_for_writing
from memory.services.embeddings import current_vectors, write_vectors
from memory.services.entities import link_entities
from memory.services.lifecycle import archive_expired
from memory.services.preparation import Prepared, prepare
from memory.services.reading import find_reachable, get_record, not_found
from memory.services.store import has_vectors_of
from memory.vocabulary import EmbeddingStatus
from metronix.deadlock import again_after_deadlock
from metronix.errors import Conflict, InvalidParams, Stale
from metronix.tenancy.access import require_role
from metronix.tenancy.context import tenant
from metronix.tenancy.principal import Principal, Role


@dataclass(frozen=True)
class UpdateOutcome:
    """The record as it is now, and which of the fields sent were taken."""

    record: MemoryRecord
    updated_fields: list[str]


def update_record(
    principal: Principal,
    *,
    record_id: str,
    content: str | None = None,
    tags: list[str] | None = None,
    importance_score: float | None = None,
    expected_revision: int | None = None,
) -> UpdateOutcome:
    """Replace the given fields; the others stay. A new content is re-embedded, re-hashed and versioned.

    Errors: InvalidParams (no field, a bad field), NotFound, Forbidden, Conflict (the content of another live record
    of the same partition, named in `details`; or `expected_revision` is not the row's: Stale).
    """
    require_role(principal, Role.EDITOR)
    changes: dict[str, Any] = {}
    if content is not None:
        changes["content"] = fields.content(content)
    if tags is not None:
        changes["tags"] = fields.tags(tags)
    if importance_score is not None:
        changes["importance_score"] = fields.fraction("importance_score", importance_score)
    if not changes:
        raise InvalidParams(
            "Nothing to update: give content, tags or importance_score.",
            details={"fields": ["content", "tags", "importance_score"]},
        )
    before = get_record(principal, record_id=record_id)
    # Prepared whatever was read: another writer may change the content before the row is locked.
    prepared = prepare(principal.workspace_id, [content])[0] if content is not None else None
    try:
        return again_after_deadlock(lambda: _locked(principal, record_id, changes, prepared, expected_revision))
    except IntegrityError as problem:
        if UNIQUE_LIVE_CONTENT not in str(problem) or prepared is None:
            raise
    with tenant(principal):
        raise _same_content(before, prepared)


def _locked(
    principal: Principal,
    record_id: str,
    changes: dict[str, Any],
    prepared: Prepared | None,
    expected_revision: int | None,
) -> UpdateOutcome:
    with tenant(principal):
        return _apply(principal, record_id, changes, prepared, expected_revision)


def _apply(
    principal: Principal,
    record_id: str,
    changes: dict[str, Any],
    prepared: Prepared | None,
    expected_revision: int | None,
) -> UpdateOutcome:
    record = find_reachable(principal, record_id, lock=True)
    if record is None:
        raise not_found(record_id)
    if expected_revision is not None and expected_revision != record.revision:
        raise Stale(
            "The record has changed since it was read.",
            hint="Read it again and repeat the change.",
            details={"revision": record.revision},
        )
    new_content = prepared is not None and prepared.content != record.content
    record.tags = changes.get("tags", record.tags)
    record.importance_score = changes.get("importance_score", record.importance_score)
    record.revision += 1
    record.updated_at = timezone.now()
    if new_content:
        assert prepared is not None
        archive_expired(principal, Partition.of(record), {prepared.content_hash} - {record.content_hash})
        _exchange_content(principal, record, prepared)
    record.save()
    updated = sorted(changes)
    append_event(
        principal,
        "record_updated",
        record_id=record.id,
        data={
            "fields": updated,
            "revision": record.revision,
            "version": record.version,
            **({"embedding": record.embedding_status} if new_content else {}),
        },
    )
    return UpdateOutcome(record, updated)


def _exchange_content(principal: Principal, record: MemoryRecord, prepared: Prepared) -> None:
    now = record.updated_at
    former = RecordVersion.objects.create(
        workspace_id=record.workspace_id,
        record=record,
        number=record.version,
        content=record.content,
        content_hash=record.content_hash,
        valid_from=record.content_since,
        valid_to=now,
        principal=principal.id,
        term_weights=record.term_weights,
        term_count=record.term_count,
    )
    # The former content keeps its vectors.
    current_vectors(record).update(version=former)
    LexiconChange.objects.bulk_create(
        [
            LexiconChange(workspace_id=record.workspace_id, sign=sign, term_ids=list(term_ids), term_count=term_count)
            for sign, term_ids, term_count in (
                (-1, record.term_ids, record.term_count),
                (1, prepared.term_ids, prepared.term_count),
            )
        ]
    )
    record.content = prepared.content
    record.content_hash = prepared.content_hash
    record.simhash = prepared.simhash
    record.term_ids = prepared.term_ids
    record.term_weights = prepared.term_weights
    record.term_count = prepared.term_count
    model_id = model_id_for_writing()
    embedded = has_vectors_of(prepared, model_id)
    record.embedding_status = (EmbeddingStatus.READY if embedded else EmbeddingStatus.PENDING).value
    record.version += 1
    record.content_since = now
    link_entities([(record, prepared.entities)])
    if embedded and prepared.vectors is not None:
        write_vectors([(record, prepared.vectors)], model_id or 0)


def _same_content(record: MemoryRecord, prepared: Prepared) -> Conflict:
    other = Partition.of(record).in_the_way([prepared.content_hash]).exclude(id=record.id).first()
    return Conflict(
        "Another live record of the same partition has this content.",
        hint="Keep the other record, or delete one of the two.",
        details={"field": "content", "record_id": str(other.id) if other else None},
    )
