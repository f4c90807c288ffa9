"""One record by its id."""

from __future__ import annotations

import uuid

from memory.models import MemoryRecord
from metronix.errors import NotFound
from metronix.tenancy.context import tenant
from metronix.tenancy.principal import Principal


def get_record(principal: Principal, *, record_id: str) -> MemoryRecord:
    """The record, whatever its status. Error: NotFound, also for ids in other workspaces or out of reach."""
    with tenant(principal):
        record = find_reachable(principal, record_id)
    if record is None:
        raise not_found(record_id)
    return record


def find_reachable(principal: Principal, record_id: str, *, lock: bool = False) -> MemoryRecord | None:
    """The record within the principal's reach, or None; call it inside `tenant`. `lock` holds the row."""
    try:
        wanted = uuid.UUID(record_id)
    except (ValueError, AttributeError, TypeError):
        return None
    records = MemoryRecord.objects.reachable_by_id(principal)
    if lock:
        records = records.select_for_update()
    return records.filter(id=wanted).first()


def not_found(record_id: str) -> NotFound:
    """The one wording for an id that is unknown here, so that nothing can be told from it."""
    return NotFound(
        f"Memory record not found: {record_id[:64]}",
        hint="Check the id, or search for the record.",
        details={"record_id": record_id[:64]},
    )
