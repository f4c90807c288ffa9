"""/memory/records: store, list."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field
from rest_framework.response import Response

from memory.api import bodies, replies
from memory.api.etag import etag
from memory.api.positions import position
from memory.presentation import record_payload
from memory.services import store_record
from memory.services.listing import ListFilters, list_all
from metronix import strict_fields as f
from metronix.api.endpoint import Endpoint
from metronix.api.inputs import Acting, Page
from metronix.api.operation import Call, operation
from metronix.api.paging import page, refuse_both, write_cursor
from metronix.tenancy.principal import Role


class RecordQuery(Acting, Page):
    """Parameters of GET /memory/records; several values of a filter are repeated parameters."""

    scope: Annotated[f.Scope | None, Field(description="Only this scope.")] = None
    session_id: Annotated[f.SessionId | None, Field(description="Only this session's records.")] = None
    tags: Annotated[f.Tags | None, Field(description="Only records that have all of these.")] = None
    status_filter: Annotated[
        f.Statuses | None, Field(description="Statuses to include; absent: all but archived and superseded.")
    ] = None
    kind_filter: Annotated[bodies.Kinds | None, Field(description="Only these kinds.")] = None
    source_type_filter: Annotated[bodies.SourceTypes | None, Field(description="Only these sources.")] = None
    as_of: Annotated[f.Time | None, Field(description="The list as it was at that time.")] = None

    def filters(self, agent_id: str | None) -> ListFilters:
        """What the service filters by."""
        as_of: Any = self.as_of
        return ListFilters(
            agent_id=agent_id,
            scope=self.scope,
            session_id=self.session_id,
            tags=self.tags or (),
            status=self.status_filter,
            kinds=self.kind_filter or (),
            source_types=self.source_type_filter or (),
            as_of=as_of,
        )


class Records(Endpoint):
    """/memory/records."""

    @operation(
        "store_memory",
        "Store one record",
        role=Role.EDITOR,
        query=Acting,
        body=bodies.NewRecord,
        reply=replies.StoredRecord,
        status=201,
        also={200: replies.StoredRecord},
    )
    def post(self, call: Call) -> Response:
        """201 with the record; 200 with the one that said the same already (`deduped`)."""
        outcome = store_record(call.principal, **call.body.for_service())
        return Response(
            {**record_payload(outcome.record), "deduped": outcome.deduped},
            status=200 if outcome.deduped else 201,
            headers={"ETag": etag(outcome.record)},
        )

    @operation(
        "list_memories", "List records, newest first", role=Role.VIEWER, query=RecordQuery, reply=replies.RecordList
    )
    def get(self, call: Call) -> Response:
        """With agent_id the records of that agent, else all within reach. `total` counts the same filters."""
        query: RecordQuery = call.query
        refuse_both(query)
        principal = call.principal
        filters = query.filters(query.agent_id)
        about = ["records", principal.workspace_id, principal.agent_id, filters.__dict__]
        after, given = position(query.cursor, about) if query.cursor is not None else (None, query.offset)
        found = list_all(principal, filters=filters, limit=query.limit + 1, offset=query.offset, after=after)
        shown = found.records[: query.limit]
        more = len(found.records) > query.limit
        last = [shown[-1].created_at.isoformat(), str(shown[-1].id)] if shown else []
        return Response(
            page(
                "records",
                [record_payload(record) for record in shown],
                total=found.total,
                limit=query.limit,
                # Deletions meanwhile may leave fewer than were given; a page never claims to lie beyond the end.
                offset=given if after is None else max(min(given, found.total - len(shown)), 0),
                cursor=write_cursor(about, last, given + len(shown)) if more else None,
            )
        )
