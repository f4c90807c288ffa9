"""What a record used to say, what happened to it, and taking the last change back."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from memory.models import MachineEvent, MemoryRecord, RecordVersion
from memory.services.listing import Position
from memory.services.reading import find_reachable, get_record, not_found
from memory.services.update import update_record
from metronix.errors import Conflict
from metronix.tenancy.context import tenant
from metronix.tenancy.principal import Principal


@dataclass(frozen=True)
class HistoryEntry:
    """One content of a record. `id` is the version's own, or the record's for the current one (`valid_to` None)."""

    id: uuid.UUID
    number: int
    content: str
    status: str
    created_at: datetime
    valid_from: datetime
    valid_to: datetime | None


@dataclass(frozen=True)
class EventPage:
    """One page of a record's events, newest first, and how many there are."""

    events: list[MachineEvent]
    total: int


def record_history(principal: Principal, *, record_id: str) -> list[HistoryEntry]:
    """Every content the record has had, oldest first; the last entry is the current one. Error: NotFound."""
    with tenant(principal):
        record = find_reachable(principal, record_id)
        if record is None:
            raise not_found(record_id)
        former = list(record.versions.order_by("number").defer("term_weights"))
    return [*(_former(version) for version in former), _current(record)]


def get_version(principal: Principal, *, version_id: str) -> HistoryEntry:
    """A former content by its own id. Error: NotFound, also where its record is out of reach."""
    try:
        wanted = uuid.UUID(version_id)
    except ValueError:
        raise not_found(version_id) from None
    with tenant(principal):
        version = RecordVersion.objects.filter(workspace_id=principal.workspace_id, id=wanted).first()
        if version is None or find_reachable(principal, str(version.record_id)) is None:
            raise not_found(version_id)
    return _former(version)


def undo_update(principal: Principal, *, record_id: str, expected_revision: int | None = None) -> MemoryRecord:
    """Give the record its previous content back, as a new version: nothing is lost, and an undo can be undone.

    Errors: NotFound, Forbidden, Conflict (there is no former content, the row has changed, or the content is taken).
    """
    record = get_record(principal, record_id=record_id)
    with tenant(principal):
        last = RecordVersion.objects.filter(record_id=record.id).order_by("-number").first()
    if last is None:
        raise Conflict("The record has no former content.", hint="Only a change of content can be undone.")
    outcome = update_record(
        principal,
        record_id=record_id,
        content=last.content,
        # What was read is what is undone; a change in between must not be.
        expected_revision=record.revision if expected_revision is None else expected_revision,
    )
    return outcome.record


def record_events(
    principal: Principal, *, record_id: str, limit: int = 50, offset: int = 0, after: Position | None = None
) -> EventPage:
    """What happened to a record within reach, newest first; `after` continues a listing. Error: NotFound."""
    record = get_record(principal, record_id=record_id)
    with tenant(principal):
        events = MachineEvent.objects.filter(workspace_id=principal.workspace_id, record_id=record.id)
        total = events.count()
        if after is not None:
            events = events.filter(Q(created_at__lt=after.created_at) | Q(created_at=after.created_at, id__lt=after.id))
        page = events.order_by("-created_at", "-id")[offset : offset + limit]
        return EventPage(list(page), total)


def _former(version: RecordVersion) -> HistoryEntry:
    return HistoryEntry(
        id=version.id,
        number=version.number,
        content=version.content,
        status="superseded",
        created_at=version.valid_from,
        valid_from=version.valid_from,
        valid_to=version.valid_to,
    )


def _current(record: MemoryRecord) -> HistoryEntry:
    return HistoryEntry(
        id=record.id,
        number=record.version,
        content=record.content,
        status=record.status,
        created_at=record.content_since,
        valid_from=record.content_since,
        valid_to=None,
    )
