"""A person's decision about a record's status."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils import timezone

from memory.models import MemoryRecord
from memory.partition import UNIQUE_LIVE_CONTENT
from memory.services.lifecycle import change_status
from memory.services.reading import find_reachable, not_found
from memory.vocabulary import LIVE, TRANSITIONS, Status
from metronix.errors import Conflict
from metronix.tenancy.access import require_role
from metronix.tenancy.context import tenant
from metronix.tenancy.principal import Principal, Role

NOT_BY_HAND = frozenset({Status.SUPERSEDED, Status.CANDIDATE})
"""Superseding names the record that takes over, which is a merge; candidates are made by extraction."""


def possible_statuses(record: MemoryRecord) -> list[Status]:
    """Where the record may be moved by hand, in the order of the vocabulary."""
    allowed = TRANSITIONS[Status(record.status)] - NOT_BY_HAND
    return [status for status in Status if status in allowed]


def _without_expiry(record: MemoryRecord, status: Status) -> dict[str, str]:
    """Take a past expiry off a record that comes back to life, or it would come back to nobody's sight."""
    lifted = {}
    now = timezone.now()
    for name in ("ttl_expires_at", "valid_until"):
        moment = getattr(record, name)
        if status in LIVE and moment is not None and moment <= now:
            setattr(record, name, None)
            lifted[f"lifted_{name}"] = moment.isoformat()
    if lifted:
        record.save(update_fields=["ttl_expires_at", "valid_until"])
    return lifted


def set_status(
    principal: Principal, *, record_id: str, status: Status, expected_revision: int | None = None
) -> MemoryRecord:
    """Move the record; one that comes back to life is no longer superseded by anything.

    Errors: NotFound, Forbidden, Conflict (no such move, the row has changed, or a live record has the same content).
    """
    require_role(principal, Role.EDITOR)
    try:
        with tenant(principal), transaction.atomic():
            record = find_reachable(principal, record_id, lock=True)
            if record is None:
                raise not_found(record_id)
            if expected_revision is not None and expected_revision != record.revision:
                raise Conflict("The record has changed since it was read.", details={"revision": record.revision})
            if status not in possible_statuses(record):
                raise Conflict(
                    f"A record that is {record.status} cannot be made {status.value} by hand.",
                    details={"status": record.status, "wanted": status.value},
                )
            if record.status == Status.SUPERSEDED:
                record.superseded_by = None
                record.save(update_fields=["superseded_by"])
            change_status(principal, record, status, **_without_expiry(record, status))
            return record
    except IntegrityError as problem:
        if UNIQUE_LIVE_CONTENT not in str(problem):
            raise
    raise Conflict(
        "A live record of the same agent and scope has this content.",
        hint="Keep that one, or put it away first.",
        details={"record_id": record_id},
    )
