"""Background work that failed: another try."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from memory.events import append_events
from memory.models import Delivery
from memory.publishing import publish
from metronix.tenancy.access import require_role
from metronix.tenancy.context import tenant
from metronix.tenancy.principal import Principal, Role


def retry_deliveries(principal: Principal, *, delivery_ids: Sequence[int]) -> int:
    """Make these deliveries of the workspace due now, failed or waiting alike; returns how many there were.

    Error: Forbidden.
    """
    require_role(principal, Role.EDITOR)
    with tenant(principal):
        rows = list(
            Delivery.objects.select_for_update(of=("self",))
            .select_related("event")
            .filter(workspace_id=principal.workspace_id, id__in=delivery_ids)
            .order_by("id")
        )
        for row in rows:
            row.state = "pending"
            row.attempts = 0
            row.available_at = timezone.now()
        Delivery.objects.bulk_update(rows, ["state", "attempts", "available_at"])
        append_events(
            principal, "delivery_retried", [(row.event.record_id, {"consumer": row.consumer}) for row in rows]
        )
        consumers = sorted({row.consumer for row in rows})
        if consumers:
            transaction.on_commit(lambda: publish(consumers), robust=True)
    return len(rows)
