"""Appending to the audit trail, and handing each event to the consumers that asked for its type.

An event and its deliveries are written in the transaction of the change they tell of. Consumers are registered by
the apps that own them, so that `memory` need not know who listens.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from memory.models import Delivery, MachineEvent
from memory.publishing import publish
from metronix.tenancy.principal import Principal

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Consumer:
    """Who works an event off. `wants` decides by type and data; `handle` takes a workspace and delivery ids.

    `handle` opens its own transactions, deletes the deliveries it has finished, and may be called again with
    deliveries it has already seen: it must be idempotent.
    """

    name: str
    wants: Callable[[str, dict[str, Any]], bool]
    handle: Callable[[str, list[int]], None]


CONSUMERS: dict[str, Consumer] = {}


def register(consumer: Consumer) -> None:
    """Called from an app's `ready`; a second consumer of the same name is a programming error."""
    known = CONSUMERS.get(consumer.name)
    if known is not None and known != consumer:
        raise RuntimeError(f"Two consumers are called {consumer.name}.")
    CONSUMERS[consumer.name] = consumer


def append_event(
    principal: Principal,
    event_type: str,
    *,
    record_id: uuid.UUID | None = None,
    session_key: str | None = None,
    data: dict[str, Any] | None = None,
) -> MachineEvent:
    """One event by this principal; call it inside `tenant`. `data` must hold no content (MachineEvent)."""
    (event,) = append_events(principal, event_type, [(record_id, data or {})], session_key=session_key)
    return event


def append_events(
    principal: Principal,
    event_type: str,
    subjects: list[tuple[uuid.UUID | None, dict[str, Any]]],
    *,
    session_key: str | None = None,
) -> list[MachineEvent]:
    """Many events of one type, one for each (record id, data)."""
    events = MachineEvent.objects.bulk_create(
        MachineEvent(
            workspace_id=principal.workspace_id,
            event_type=event_type,
            actor=principal.door.value,
            principal=principal.id,
            agent_id=principal.agent_id or "",
            record_id=record_id,
            session_key=session_key,
            data=data,
            request_id=principal.request_id,
        )
        for record_id, data in subjects
    )
    deliveries = [
        Delivery(workspace_id=principal.workspace_id, event=event, consumer=consumer.name)
        for event in events
        for consumer in CONSUMERS.values()
        if consumer.wants(event_type, event.data)
    ]
    if deliveries:
        Delivery.objects.bulk_create(deliveries)
        names = sorted({delivery.consumer for delivery in deliveries})
        transaction.on_commit(lambda: publish(names), robust=True)
    return events
