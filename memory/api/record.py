"""/memory/records/{id}: one record, its history and events."""

from __future__ import annotations

from rest_framework.response import Response

from memory.api import bodies, replies
from memory.api.etag import IF_MATCH, etag, expected_revision, not_modified
from memory.api.payloads import entry_payload, event_payload
from memory.api.positions import position
from memory.presentation import record_payload
from memory.services import (
    delete_record,
    get_record,
    get_version,
    record_events,
    record_history,
    undo_update,
    update_record,
)
from memory.services.reading import not_found
from metronix.api.endpoint import Endpoint
from metronix.api.inputs import Acting, Page
from metronix.api.operation import Call, operation
from metronix.api.paging import page, page_of, refuse_both, write_cursor
from metronix.tenancy.principal import Role


class ActingPage(Acting, Page):
    """Parameters of lists below a record."""


class Record(Endpoint):
    """/memory/records/{id}."""

    @operation(
        "get_memory",
        "Read one record",
        role=Role.VIEWER,
        query=Acting,
        reply=replies.Record,
        headers={"If-None-Match": "Answer 304 while the record has this ETag."},
    )
    def get(self, call: Call, record_id: str) -> Response:
        """Whatever its status; the ETag is its revision."""
        record = get_record(call.principal, record_id=record_id)
        headers = {"ETag": etag(record)}
        if not_modified(call.request.headers, record):
            return Response(status=304, headers=headers)
        return Response(record_payload(record), headers=headers)

    @operation(
        "update_memory",
        "Change a record",
        role=Role.EDITOR,
        query=Acting,
        body=bodies.Change,
        reply=replies.Record,
        refusals=(409, 412),
        headers=IF_MATCH,
    )
    def patch(self, call: Call, record_id: str) -> Response:
        """The fields given are replaced, the others stay; a new content appends a version."""
        outcome = update_record(
            call.principal,
            record_id=record_id,
            content=call.body.content,
            tags=call.body.tags,
            importance_score=call.body.importance_score,
            expected_revision=expected_revision(call.request.headers, call.principal, record_id),
        )
        return Response(record_payload(outcome.record), headers={"ETag": etag(outcome.record)})

    @operation(
        "delete_memory",
        "Delete a record for good",
        role=Role.EDITOR,
        query=Acting,
        reply=None,
        status=204,
        refusals=(412,),
        headers=IF_MATCH,
    )
    def delete(self, call: Call, record_id: str) -> Response:
        """With its versions and vectors; only the bare id stays, in the audit trail."""
        revision = expected_revision(call.request.headers, call.principal, record_id)
        if not delete_record(call.principal, record_id=record_id, expected_revision=revision, sessions_too=True):
            raise not_found(record_id)
        return Response(status=204)


class RecordHistory(Endpoint):
    """/memory/records/{id}/history."""

    @operation(
        "memory_history", "Every content a record has had", role=Role.VIEWER, query=ActingPage, reply=replies.History
    )
    def get(self, call: Call, record_id: str) -> Response:
        """Oldest first; the last entry is the current one."""
        entries = record_history(call.principal, record_id=record_id)
        return Response(
            page_of(
                "entries",
                entries,
                call.query,
                about=["history", call.principal.workspace_id, record_id],
                key=lambda entry: f"{entry.number:09d}",
                payload=entry_payload,
            )
        )


class RecordEvents(Endpoint):
    """/memory/records/{id}/events."""

    @operation(
        "memory_events", "What happened to a record", role=Role.VIEWER, query=ActingPage, reply=replies.EventList
    )
    def get(self, call: Call, record_id: str) -> Response:
        """Newest first, from the append-only trail."""
        query = call.query
        refuse_both(query)
        about = ["events", call.principal.workspace_id, record_id]
        after, given = (None, query.offset) if query.cursor is None else position(query.cursor, about)
        found = record_events(
            call.principal, record_id=record_id, limit=query.limit + 1, offset=query.offset, after=after
        )
        shown = found.events[: query.limit]
        more = len(found.events) > query.limit
        last = [shown[-1].created_at.isoformat(), str(shown[-1].id)] if shown else []
        return Response(
            page(
                "events",
                [event_payload(event) for event in shown],
                total=found.total,
                limit=query.limit,
                offset=given,
                cursor=write_cursor(about, last, given + len(shown)) if more else None,
            )
        )


class RecordUndo(Endpoint):
    """/memory/records/{id}/undo."""

    @operation(
        "undo_memory_update",
        "Take the last change of content back",
        role=Role.EDITOR,
        query=Acting,
        reply=replies.Record,
        refusals=(409, 412),
        headers=IF_MATCH,
    )
    def post(self, call: Call, record_id: str) -> Response:
        """As a new version: nothing is lost, and an undo can be undone. 409 where there is no former content."""
        revision = expected_revision(call.request.headers, call.principal, record_id)
        record = undo_update(call.principal, record_id=record_id, expected_revision=revision)
        return Response(record_payload(record), headers={"ETag": etag(record)})


class Version(Endpoint):
    """/memory/versions/{id}."""

    @operation(
        "get_memory_version", "Read a former content", role=Role.VIEWER, query=Acting, reply=replies.HistoryEntry
    )
    def get(self, call: Call, version_id: str) -> Response:
        """By the version's own id, as the history gives it."""
        return Response(entry_payload(get_version(call.principal, version_id=version_id)))
