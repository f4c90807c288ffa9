"""A memory's whole story: what it says, what it said, what happened to it, what it is connected with,
who found it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Count, QuerySet

from memory.models import Delivery, Embedding, MachineEvent, MemoryRecord, RecordVersion, Retrieval
from memory.services.reading import not_found
from memory.worddiff import Piece, word_diff
from metronix.tenancy.context import tenant
from metronix.tenancy.principal import Principal

MOST_EVENTS = 200
MOST_VERSIONS = 50
MOST_LINKS = 20
MOST_RETRIEVALS = 20
_HEAVY = ("term_ids", "term_weights")


@dataclass(frozen=True)
class Moment:
    """One entry of the time line: an event, a change of content, or both where they are one act."""

    at: datetime
    event: MachineEvent | None = None
    version: RecordVersion | None = None
    changes: list[Piece] = field(default_factory=list)


@dataclass(frozen=True)
class Vectors:
    """How many windows of the current content one model has embedded."""

    model: str
    is_current: bool
    windows: int


@dataclass(frozen=True)
class Story:
    """Everything on a record's page; the time line is newest first."""

    record: MemoryRecord
    timeline: list[Moment]
    events_left_out: int
    former_contents: int
    supersedes: list[MemoryRecord]
    previous: MemoryRecord | None
    following: MemoryRecord | None
    vectors: list[Vectors]
    deliveries: list[Delivery]
    retrievals: list[Retrieval]


def record_story(principal: Principal, *, record_id: uuid.UUID) -> Story:
    """The story, in a fixed number of queries. Error: NotFound."""
    with tenant(principal):
        records = MemoryRecord.objects.reachable_by_id(principal).defer(*_HEAVY)
        record = records.select_related("session", "superseded_by").filter(id=record_id).first()
        if record is None:
            raise not_found(str(record_id))
        about = MachineEvent.objects.filter(workspace_id=record.workspace_id, record_id=record.id)
        events = list(about.order_by("-created_at", "-id")[: MOST_EVENTS + 1])
        versions = list(record.versions.defer("term_weights").order_by("-number")[:MOST_VERSIONS])
        previous, following = _neighbours(records, record)
        return Story(
            record=record,
            timeline=_timeline(record, versions, events[:MOST_EVENTS]),
            events_left_out=0 if len(events) <= MOST_EVENTS else about.count() - MOST_EVENTS,
            former_contents=record.version - 1,
            supersedes=list(records.filter(superseded_by=record).order_by("-updated_at")[:MOST_LINKS]),
            previous=previous,
            following=following,
            vectors=_vectors(record),
            deliveries=list(
                Delivery.objects.filter(workspace_id=record.workspace_id, event__record_id=record.id)
                .select_related("event")
                .order_by("id")[:MOST_LINKS]
            ),
            retrievals=list(
                Retrieval.objects.filter(workspace_id=record.workspace_id, record_id=record.id).order_by(
                    "-created_at", "-id"
                )[:MOST_RETRIEVALS]
            ),
        )


def _timeline(record: MemoryRecord, versions: list[RecordVersion], events: list[MachineEvent]) -> list[Moment]:
    """Events, each with the change of content it tells of; a change without an event stands for itself."""
    later = record.content
    changes: dict[int, tuple[RecordVersion, list[Piece]]] = {}
    for version in versions:
        changes[version.number] = (version, word_diff(version.content, later))
        later = version.content
    moments = []
    for event in events:
        number = event.data.get("version")
        told = "content" in event.data.get("fields", ()) and isinstance(number, int)
        change = changes.pop(number - 1, None) if told else None
        moments.append(Moment(event.created_at, event, *(change or (None, []))))
    moments += [Moment(version.valid_to, None, version, pieces) for version, pieces in changes.values()]
    return sorted(moments, key=lambda moment: moment.at, reverse=True)


def _neighbours(
    records: QuerySet[MemoryRecord], record: MemoryRecord
) -> tuple[MemoryRecord | None, MemoryRecord | None]:
    """The memories written before and after it in its session."""
    if record.session_id is None or record.position is None:
        return None, None
    session = records.filter(session_id=record.session_id)
    return (
        session.filter(position__lt=record.position).order_by("-position").first(),
        session.filter(position__gt=record.position).order_by("position").first(),
    )


def _vectors(record: MemoryRecord) -> list[Vectors]:
    rows = (
        Embedding.objects.filter(workspace_id=record.workspace_id, record_id=record.id, version=None)
        .values("model__name", "model__is_current")
        .annotate(windows=Count("id"))
        .order_by("model__name")
    )
    return [Vectors(row["model__name"], row["model__is_current"], row["windows"]) for row in rows]
