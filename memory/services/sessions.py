"""Working sessions: opened, ended, and what of them is kept."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from memory import fields
from memory.events import append_event
from memory.models import MemoryRecord, Session
from memory.partition import Partition
from memory.services.lifecycle import archive_expired
from memory.services.store import know_agent, require_agent
from memory.vocabulary import Scope
from metronix.errors import Conflict, InvalidParams, NotFound
from metronix.tenancy.access import require_role
from metronix.tenancy.context import tenant
from metronix.tenancy.principal import Principal, Role

MOST_PROMOTED = 500


@dataclass(frozen=True)
class Promotion:
    """A session record asked for: the per_agent record it is now, or the one that said the same (`deduped`)."""

    session_record_id: uuid.UUID
    record: MemoryRecord
    deduped: bool


def start_session(
    principal: Principal, *, project: str = "", metadata: dict[str, Any] | None = None, session_id: str | None = None
) -> Session:
    """Open a session of the principal's agent; its id is made here unless one is given.

    Errors: InvalidParams, Forbidden, Conflict (the agent has a session of that id).
    """
    require_role(principal, Role.EDITOR)
    require_agent(principal)
    assert principal.agent_id is not None
    key = fields.session_id(session_id, Scope.GLOBAL) or str(uuid.uuid4())
    checked = fields.metadata(metadata)
    project = fields.text("project", project, longest=fields.PROJECT_LENGTH, blank=True)
    with tenant(principal):
        know_agent(principal)
        session, created = Session.objects.get_or_create(
            workspace_id=principal.workspace_id,
            agent_id=principal.agent_id,
            key=key,
            defaults={"project": project, "metadata": checked},
        )
        if not created:
            raise Conflict("The agent has a session of that id.", details={"session_id": key})
        append_event(principal, "session_started", session_key=key, data={"project": project})
    return session


def end_session(
    principal: Principal, *, session_id: str, promote: Sequence[str] = ()
) -> tuple[Session, list[Promotion]]:
    """End the agent's session; its records live out their time, those in `promote` are kept as per_agent records.

    Ending again gives the same answer and the first time. Errors: NotFound, InvalidParams, Forbidden.
    """
    require_role(principal, Role.EDITOR)
    with tenant(principal):
        session = find_session(principal, session_id, lock=True)
        promoted = _promote(principal, session, promote)
        if session.ended_at is None:
            session.ended_at = timezone.now()
            session.save(update_fields=["ended_at"])
            append_event(principal, "session_ended", session_key=session.key, data={"promoted": len(promoted)})
    return session, promoted


def promote_records(principal: Principal, *, session_id: str, record_ids: Sequence[str]) -> list[Promotion]:
    """Keep session records beyond their session, as per_agent ones. Errors: NotFound, InvalidParams, Forbidden."""
    require_role(principal, Role.EDITOR)
    if not record_ids:
        raise InvalidParams("record_ids must name at least one record.", field="record_ids")
    with tenant(principal):
        return _promote(principal, find_session(principal, session_id, lock=True), record_ids)


def find_session(principal: Principal, session_id: str, *, lock: bool = False) -> Session:
    """The agent's session (without an agent: the only one of that id in the workspace); inside `tenant`.

    Error: NotFound, also for another agent's session.
    """
    if "\0" in session_id:
        raise NotFound("Session not found.", details={"field": "session_id"})
    sessions = Session.objects.filter(workspace_id=principal.workspace_id, key=session_id)
    if principal.agent_id is not None:
        sessions = sessions.filter(agent_id=principal.agent_id)
    if lock:
        sessions = sessions.select_for_update()
    found = list(sessions.order_by("id")[:2])
    if len(found) != 1:
        raise NotFound(f"Session not found: {session_id[:128]}", details={"session_id": session_id[:128]})
    return found[0]


def _promote(principal: Principal, session: Session, record_ids: Sequence[str]) -> list[Promotion]:
    """Change the scope of the wanted records, in order of id; one whose content is known stays and points there.

    One that this session gave up before is a success again: the caller may not have seen the first answer.
    """
    wanted = _ids(record_ids)
    promoted = MemoryRecord.objects.filter(
        workspace_id=principal.workspace_id, session=session, scope=Scope.PER_AGENT, id__in=wanted
    )
    before = {record.id: record for record in promoted.live()}
    records = {
        record.id: record
        for record in MemoryRecord.objects.select_for_update()
        .filter(workspace_id=principal.workspace_id, session=session, scope=Scope.SESSION, id__in=wanted)
        .live()
        .order_by("id")
    }
    missing = [record_id for record_id in wanted if record_id not in records and record_id not in before]
    if missing:
        raise InvalidParams(
            f"{missing[0]} is no live record of this session.",
            field="record_ids",
            details={"record_ids": [str(record_id) for record_id in missing]},
        )
    promotions = [Promotion(record_id, record, deduped=False) for record_id, record in before.items()]
    for record_id, record in records.items():
        kept = Partition.named(record.workspace_id, record.agent_id, Scope.PER_AGENT, None)
        archive_expired(principal, kept, [record.content_hash])
        known = kept.in_the_way([record.content_hash]).select_for_update().first()
        if known is not None:
            promotions.append(Promotion(record_id, known, deduped=True))
            continue
        record.scope = Scope.PER_AGENT.value
        record.ttl_expires_at = None
        record.revision += 1
        record.updated_at = timezone.now()
        try:
            with transaction.atomic():
                record.save(update_fields=["scope", "ttl_expires_at", "revision", "updated_at"])
        except IntegrityError:
            # Somebody stored the same between the look and the write.
            said = kept.in_the_way([record.content_hash]).get()
            promotions.append(Promotion(record_id, said, deduped=True))
            continue
        append_event(principal, "record_promoted", record_id=record_id, session_key=session.key)
        promotions.append(Promotion(record_id, record, deduped=False))
    return promotions


def _ids(record_ids: Sequence[str]) -> list[uuid.UUID]:
    if len(record_ids) > MOST_PROMOTED:
        raise InvalidParams(f"record_ids may name at most {MOST_PROMOTED} records.", field="record_ids")
    try:
        return list(dict.fromkeys(uuid.UUID(record_id) for record_id in record_ids))
    except (ValueError, AttributeError, TypeError):
        raise InvalidParams("record_ids must hold record ids.", field="record_ids") from None
