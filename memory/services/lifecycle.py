"""Changes of status, all through one gate."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils import timezone

from memory.events import append_event
from memory.models import MemoryRecord
from memory.partition import Partition
from memory.querysets import unexpired
from memory.vocabulary import TRANSITIONS, Status
from metronix.errors import Conflict
from metronix.tenancy.principal import Principal


def change_status(principal: Principal, record: MemoryRecord, new: Status, **data: Any) -> None:
    """Move a locked record to another status and record the event. Error: Conflict for a move not in TRANSITIONS."""
    old = Status(record.status)
    if new not in TRANSITIONS[old]:
        raise Conflict(
            f"A record that is {old.value} cannot become {new.value}.",
            details={"status": old.value, "wanted": new.value},
        )
    record.status = new.value
    record.revision += 1
    record.updated_at = timezone.now()
    record.save(update_fields=["status", "revision", "updated_at"])
    append_event(
        principal,
        "status_changed",
        record_id=record.id,
        data={"from": old.value, "to": new.value, **data},
    )


def archive_expired(principal: Principal, partition: Partition, hashes: Iterable[str]) -> None:
    """Archive the partition's expired records with these contents, so that the contents can be stored anew.

    Expiry cannot be part of the unique index (it changes with the clock), so an expired row would block its content.
    """
    expired = partition.in_the_way(hashes).exclude(unexpired()).order_by("id").select_for_update()
    for record in expired:
        change_status(principal, record, Status.ARCHIVED, reason="expired")
