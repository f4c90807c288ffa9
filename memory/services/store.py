"""Storing: one fact, once."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import IntegrityError, transaction
from django.db.models import F
from psycopg.errors import ForeignKeyViolation

from memory.events import append_events
from memory.models import LexiconChange, MemoryRecord, Session
from memory.partition import UNIQUE_LIVE_CONTENT, Partition
from memory.services.drafts import Draft, build_record, draft
from memory.services.embedding_models import model_id_for_writing
from memory.services.embeddings import write_vectors
from memory.services.entities import link_entities
from memory.services.lifecycle import archive_expired
from memory.services.preparation import Prepared, content_hash, prepare
from memory.vocabulary import EmbeddingStatus
from metronix.deadlock import again_after_deadlock
from metronix.errors import InvalidParams
from metronix.tenancy.access import require_existing, require_role
from metronix.tenancy.context import tenant
from metronix.tenancy.models import Agent
from metronix.tenancy.principal import Principal, Role

T = TypeVar("T")


@dataclass(frozen=True)
class StoreOutcome:
    """The stored record, or the one that held the same content already."""

    record: MemoryRecord
    deduped: bool


def store_record(principal: Principal, **given: Any) -> StoreOutcome:
    """Store one record as the principal's agent; keywords are those of `drafts.draft`.

    The same content, live in the same (agent, scope, session), is not stored again. Of two equal stores at once the
    unique index lets one through. Errors: InvalidParams (naming the field), Forbidden.
    """
    require_role(principal, Role.EDITOR)
    require_agent(principal)
    wanted = draft(**given)
    with tenant(principal):
        known = find_live(principal, wanted, content_hash(wanted.content))
    if known is not None:
        # Nothing to embed: the look-up costs a millisecond, an embedding ten and more.
        return StoreOutcome(known, deduped=True)
    (prepared,) = prepare(principal.workspace_id, [wanted.content], [wanted.created_at])
    return in_present_workspace(principal, lambda: _store(principal, wanted, prepared))


def require_agent(principal: Principal) -> None:
    """Writing needs to know whose memory it is."""
    if principal.agent_id is None:
        raise InvalidParams("agent_id is required.", field="agent_id", hint="Pass the agent whose memory this is.")


def in_present_workspace(principal: Principal, work: Callable[[], T]) -> T:
    """Run a transaction that inserts, again after a deadlock. Error: WorkspaceNotFound if it was deleted meanwhile."""
    try:
        return again_after_deadlock(work)
    except IntegrityError as problem:
        if isinstance(problem.__cause__, ForeignKeyViolation):
            require_existing(principal.workspace_id)
        raise


def _store(principal: Principal, wanted: Draft, prepared: Prepared) -> StoreOutcome:
    with tenant(principal):
        return insert_all(principal, [(wanted, prepared)])[0]


def insert_all(principal: Principal, rows: list[tuple[Draft, Prepared]]) -> list[StoreOutcome]:
    """Insert several drafts in order inside the caller's transaction.

    All at once where nothing is in the way; else one by one, so that a duplicate costs only itself. Equal contents
    within `rows` must have been taken out by the caller or are deduplicated here by the index.
    """
    know_agent(principal)
    sessions = open_sessions(principal, [wanted.session_key for wanted, _ in rows])
    for partition, hashes in by_partition(principal, rows).items():
        archive_expired(principal, partition, hashes)
    records = [
        build_record(principal, wanted, prepared, sessions.get(wanted.session_key or "")) for wanted, prepared in rows
    ]
    number_positions(records)
    try:
        with transaction.atomic():
            _write(principal, [(records[place], rows[place][1]) for place in _by_content(rows)])
        return [StoreOutcome(record, deduped=False) for record in records]
    except IntegrityError as problem:
        if UNIQUE_LIVE_CONTENT not in str(problem):
            raise
    outcomes = {
        place: _insert_one(principal, rows[place][0], rows[place][1], records[place]) for place in _by_content(rows)
    }
    return [outcomes[place] for place in range(len(rows))]


def _by_content(rows: list[tuple[Draft, Prepared]]) -> list[int]:
    """Places in the order of their hashes. Two batches with the same contents in opposite orders would otherwise each
    wait for the unique index entry of the other."""
    return sorted(range(len(rows)), key=lambda place: rows[place][1].content_hash)


def _insert_one(principal: Principal, wanted: Draft, prepared: Prepared, record: MemoryRecord) -> StoreOutcome:
    # The one in the way may vanish (archived, deleted) between the insert and the look-up: then the next try inserts.
    for _ in range(5):
        known = find_live(principal, wanted, prepared.content_hash)
        if known is not None:
            return StoreOutcome(known, deduped=True)
        try:
            with transaction.atomic():
                _write(principal, [(record, prepared)])
            return StoreOutcome(record, deduped=False)
        except IntegrityError as problem:
            if UNIQUE_LIVE_CONTENT not in str(problem):
                raise
    raise IntegrityError("the same content came and went five times during one store")


def _write(principal: Principal, pairs: list[tuple[MemoryRecord, Prepared]]) -> None:
    model_id = model_id_for_writing()
    embedded = [(record, prepared.vectors) for record, prepared in pairs if has_vectors_of(prepared, model_id)]
    for record, prepared in pairs:
        if not has_vectors_of(prepared, model_id):
            # Not embedded yet, or by a model that has been replaced since.
            record.embedding_status = EmbeddingStatus.PENDING.value
    MemoryRecord.objects.bulk_create(record for record, _ in pairs)
    write_vectors([(record, vectors) for record, vectors in embedded if vectors is not None], model_id or 0)
    link_entities((record, prepared.entities) for record, prepared in pairs)
    LexiconChange.objects.bulk_create(
        LexiconChange(
            workspace_id=principal.workspace_id,
            sign=1,
            term_ids=prepared.term_ids,
            term_count=prepared.term_count,
        )
        for _, prepared in pairs
    )
    append_events(
        principal,
        "record_stored",
        [(record.id, {"scope": record.scope, "embedding": record.embedding_status}) for record, _ in pairs],
    )


def has_vectors_of(prepared: Prepared, model_id: int | None) -> bool:
    """Whether the text was embedded by that model."""
    return prepared.vectors is not None and model_id is not None and prepared.model_id == model_id


def find_live(principal: Principal, wanted: Draft, digest: str) -> MemoryRecord | None:
    """The live, unexpired record with this content in the same partition, if any."""
    return wanted.partition(principal).records([digest]).live().first()


def by_partition(principal: Principal, rows: list[tuple[Draft, Prepared]]) -> dict[Partition, list[str]]:
    """The content hashes that go to each partition."""
    parts: dict[Partition, list[str]] = {}
    for wanted, prepared in rows:
        parts.setdefault(wanted.partition(principal), []).append(prepared.content_hash)
    return parts


def open_sessions(principal: Principal, keys: list[str | None]) -> dict[str, Session]:
    """The agent's sessions by key; a key that is new opens its session."""
    wanted = {key for key in keys if key is not None}
    if not wanted:
        return {}
    mine = Session.objects.filter(workspace_id=principal.workspace_id, agent_id=principal.agent_id, key__in=wanted)
    found = {session.key: session for session in mine}
    if set(found) != wanted:
        Session.objects.bulk_create(
            (
                Session(workspace_id=principal.workspace_id, agent_id=principal.agent_id or "", key=key)
                for key in sorted(wanted - set(found))
            ),
            ignore_conflicts=True,
        )
        found = {session.key: session for session in mine.all()}
    return found


def number_positions(records: list[MemoryRecord]) -> None:
    """Give records their places in their sessions. Sessions are raised in order of id, so that no two batches lock."""
    sessions: dict[uuid.UUID, list[MemoryRecord]] = {}
    for record in records:
        if record.session_id is not None:
            sessions.setdefault(record.session_id, []).append(record)
    for session_id, members in sorted(sessions.items()):
        Session.objects.filter(id=session_id).update(next_position=F("next_position") + len(members))
        first = Session.objects.values_list("next_position", flat=True).get(id=session_id) - len(members)
        for place, record in enumerate(members, start=first):
            record.position = place


def know_agent(principal: Principal) -> None:
    """Register an agent at its first write."""
    assert principal.agent_id is not None
    mine = Agent.objects.filter(workspace_id=principal.workspace_id, agent_id=principal.agent_id)
    if not mine.exists():
        Agent.objects.bulk_create(
            [Agent(workspace_id=principal.workspace_id, agent_id=principal.agent_id)], ignore_conflicts=True
        )
