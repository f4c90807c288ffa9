"""Many records in one call, of several agents and partitions if need be."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from memory.events import append_events
from memory.models import LexiconChange, MemoryRecord
from memory.querysets import RecordQuerySet
from memory.services.batch import LARGEST_BATCH, STEP, ItemOutcome, store_drafts
from memory.services.drafts import Draft, draft
from memory.services.store import require_agent
from metronix.errors import InvalidParams, MetronixError
from metronix.tenancy.access import choose_agent, require_role
from metronix.tenancy.context import tenant
from metronix.tenancy.principal import Principal, Role

LARGEST_DELETION = 500


@dataclass(frozen=True)
class BatchItem:
    """Keywords of `drafts.draft`, and whose memory it is (None: the principal's agent)."""

    fields: dict[str, Any]
    agent_id: str | None = None


def store_mixed(principal: Principal, *, items: Sequence[BatchItem | MetronixError]) -> list[ItemOutcome]:
    """Store up to 100 items; an error among them, found by the door, stands for an item that could not be read.

    Items of one partition (agent, scope, session) keep their order. A bad item is its own error, an agent that the
    key is not bound to included. Errors of the whole call: InvalidParams (size of the batch), Forbidden.
    """
    require_role(principal, Role.EDITOR)
    if not 1 <= len(items) <= LARGEST_BATCH:
        raise InvalidParams(f"records must hold 1 to {LARGEST_BATCH} objects.", field="records")
    outcomes: list[ItemOutcome | None] = [None] * len(items)
    partitions: dict[tuple[str, str, str | None], list[tuple[int, Draft]]] = {}
    for index, item in enumerate(items):
        try:
            if isinstance(item, MetronixError):
                raise item
            agent_id, wanted = _checked(principal, item)
        except MetronixError as problem:
            outcomes[index] = ItemOutcome(error=problem)
            continue
        partitions.setdefault((agent_id, wanted.scope.value, wanted.session_key), []).append((index, wanted))
    for (agent_id, _, _), members in partitions.items():
        acting = principal.at(principal.workspace_id, agent_id)
        for start in range(0, len(members), STEP):
            step = members[start : start + STEP]
            stored = store_drafts(acting, [wanted for _, wanted in step])
            for (index, _), outcome in zip(step, stored, strict=True):
                outcomes[index] = outcome
    return [outcome for outcome in outcomes if outcome is not None]


def _checked(principal: Principal, item: BatchItem) -> tuple[str, Draft]:
    agent_id = principal.agent_id if item.agent_id is None else choose_agent(principal, item.agent_id)
    require_agent(principal.at(principal.workspace_id, agent_id))
    assert agent_id is not None
    return agent_id, draft(**item.fields)


def delete_records(principal: Principal, *, record_ids: Sequence[str]) -> set[str]:
    """Delete those within reach, session records too, in one transaction; gives the ids (as sent) that are gone.

    Errors: InvalidParams (more than 500), Forbidden.
    """
    require_role(principal, Role.EDITOR)
    if len(record_ids) > LARGEST_DELETION:
        raise InvalidParams(f"record_ids may hold at most {LARGEST_DELETION} ids.", field="record_ids")
    wanted = {record_id: found for record_id in record_ids if (found := _uuid(record_id)) is not None}
    with tenant(principal):
        gone = erase(principal, MemoryRecord.objects.reachable_by_id(principal).filter(id__in=set(wanted.values())))
    return {record_id for record_id, found in wanted.items() if found in gone}


def erase(principal: Principal, records: RecordQuerySet) -> set[uuid.UUID]:
    """Delete these rows with everything that hangs on them, inside `tenant`; rows are locked in order of id.

    Nothing of the content stays; the events keep the bare ids.
    """
    rows = list(records.order_by("id").select_for_update().only("id", "term_ids", "term_count", "workspace_id"))
    LexiconChange.objects.bulk_create(
        LexiconChange(workspace_id=row.workspace_id, sign=-1, term_ids=list(row.term_ids), term_count=row.term_count)
        for row in rows
    )
    ids = {row.id for row in rows}
    MemoryRecord.objects.filter(id__in=ids).delete()
    _tell(principal, ids)
    return ids


def _tell(principal: Principal, ids: Iterable[uuid.UUID]) -> None:
    append_events(principal, "record_deleted", [(record_id, {}) for record_id in sorted(ids)])


def _uuid(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text)
    except ValueError:
        return None
