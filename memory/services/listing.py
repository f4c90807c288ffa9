"""Enumerating records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from memory import fields
from memory.as_of import content_then, require_tractable, unexpired_then, with_status_then
from memory.models import MemoryRecord
from memory.querysets import RecordQuerySet
from memory.services.store import require_agent
from memory.vocabulary import ALL, Kind, Scope, Status
from metronix.tenancy.context import tenant
from metronix.tenancy.principal import Principal

NOT_PUT_AWAY = [status.value for status in Status if status not in (Status.ARCHIVED, Status.SUPERSEDED)]
"""What an inspecting reader (REST) sees by default; quarantined ones are for humans whatever the filter."""


@dataclass(frozen=True)
class Page:
    """One page, and how many records the same filter matches in all."""

    records: list[MemoryRecord]
    total: int


@dataclass(frozen=True)
class ListFilters:
    """Filters of a listing; None or empty means no filter, `status` None what is not put away. `as_of` is aware."""

    agent_id: str | None = None
    scope: str | None = None
    session_id: str | None = None
    tags: Sequence[str] = ()
    status: Sequence[str] | None = None
    kinds: Sequence[str] = ()
    source_types: Sequence[str] = ()
    as_of: datetime | None = None


@dataclass(frozen=True)
class Position:
    """A place in a listing: everything strictly after it (older, or as old with a smaller id) is the next page."""

    created_at: datetime
    id: UUID


def list_records(
    principal: Principal,
    *,
    scope: str | None = None,
    tags: Sequence[str] | None = None,
    status: Sequence[str] | None = None,
    limit: int = 20,
    offset: int = 0,
) -> Page:
    """Records whose agent is the principal's, newest first by (created_at, id), filtered before paging.

    `status` None means active ones. Errors: InvalidParams.
    """
    require_agent(principal)
    statuses = fields.statuses(status, [Status.ACTIVE.value])
    filters = ListFilters(agent_id=principal.agent_id, scope=scope, tags=tags or (), status=statuses)
    return list_all(principal, filters=filters, limit=limit, offset=offset)


def list_all(
    principal: Principal, *, filters: ListFilters, limit: int, offset: int = 0, after: Position | None = None
) -> Page:
    """Records within the principal's reach, newest first by (created_at, id).

    With `after` (deep reading) each record comes exactly once, whatever is inserted meanwhile. Errors: InvalidParams.
    """
    statuses = fields.statuses(filters.status, NOT_PUT_AWAY)
    with tenant(principal):
        records = _filtered(MemoryRecord.objects.reachable_by_id(principal), filters)
        if filters.as_of is not None:
            require_tractable(principal.workspace_id)
            everything = ALL in statuses
            records = with_status_then(records, filters.as_of, among=None if everything else statuses)
            if not everything:
                records = records.filter(unexpired_then(filters.as_of))
        else:
            records = records.with_status(statuses)
        total = records.count()
        if after is not None:
            records = records.filter(
                Q(created_at__lt=after.created_at) | Q(created_at=after.created_at, id__lt=after.id)
            )
        page = records.order_by("-created_at", "-id").defer("term_weights", "term_ids")[offset : offset + limit]
        found = list(page)
        return Page(content_then(found, filters.as_of) if filters.as_of is not None else found, total)


def _filtered(records: RecordQuerySet, filters: ListFilters) -> RecordQuerySet:
    if filters.agent_id is not None:
        records = records.filter(agent_id=filters.agent_id)
    if filters.scope is not None:
        records = records.filter(scope=fields.member("scope", filters.scope, Scope).value)
    if filters.session_id is not None:
        records = records.filter(session_key=fields.session_id(filters.session_id, Scope.GLOBAL))
    if filters.kinds:
        records = records.filter(kind__in=[fields.member("kind_filter", kind, Kind).value for kind in filters.kinds])
    if filters.source_types:
        records = records.filter(source_type__in=list(filters.source_types))
    return records.tagged(fields.tags(filters.tags))
