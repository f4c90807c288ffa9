"""Changes of status, all through one gate."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from memory.events import append_event
from memory.models import MemoryRecord
from memory.vocabulary import LIVE, TRANSITIONS, Status
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


def archive_expired(principal: Principal, hashes: list[str]) -> None:
    """Archive the agent's expired live records with these contents, so that the contents can be stored anew.

    Expiry cannot be part of the unique index (it changes with the clock), so an expired row would block its content.
    """
    expired = (
        MemoryRecord.objects.filter(
            Q(ttl_expires_at__lte=Now()) | Q(valid_until__lte=Now()),
            workspace_id=principal.workspace_id,
            agent_id=principal.agent_id,
            content_hash__in=hashes,
            status__in=LIVE,
        )
        .order_by("id")
        .select_for_update()
    )
    for record in expired:
        change_status(principal, record, Status.ARCHIVED, reason="expired")
