"""Enumerating an agent's records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory import fields
from memory.models import MemoryRecord
from memory.services.store import require_agent
from memory.vocabulary import Scope, Status
from metronix.tenancy.context import tenant
from metronix.tenancy.principal import Principal


@dataclass(frozen=True)
class Page:
    """One page, and how many records the same filter matches in all."""

    records: list[MemoryRecord]
    total: int


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
    wanted_tags = fields.tags(tags)
    statuses = fields.statuses(status, [Status.ACTIVE.value])
    with tenant(principal):
        records = (
            MemoryRecord.objects.reachable_by_id(principal)
            .filter(agent_id=principal.agent_id)
            .with_status(statuses)
            .tagged(wanted_tags)
        )
        if scope is not None:
            records = records.filter(scope=fields.member("scope", scope, Scope).value)
        page = records.order_by("-created_at", "-id").defer("term_weights", "term_ids")[offset : offset + limit]
        return Page(list(page), records.count())
