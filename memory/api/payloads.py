"""Replies of the routes, JSON-ready."""

from __future__ import annotations

from typing import Any

from memory.models import MachineEvent, Session
from memory.presentation import moment
from memory.services.history import HistoryEntry
from memory.services.sessions import Promotion
from metronix.api.errors import error_body
from metronix.errors import MetronixError


def entry_payload(entry: HistoryEntry) -> dict[str, Any]:
    """One content of a record."""
    return {
        "id": str(entry.id),
        "number": entry.number,
        "content": entry.content,
        "status": entry.status,
        "created_at": moment(entry.created_at),
        "valid_from": moment(entry.valid_from),
        "valid_to": moment(entry.valid_to),
    }


def event_payload(event: MachineEvent) -> dict[str, Any]:
    """One entry of the audit trail."""
    return {
        "id": str(event.id),
        "event_type": event.event_type,
        "actor": event.actor,
        "principal": event.principal,
        "agent_id": event.agent_id or None,
        "record_id": str(event.record_id) if event.record_id else None,
        "session_id": event.session_key,
        "data": event.data,
        "created_at": moment(event.created_at),
    }


def session_payload(session: Session) -> dict[str, Any]:
    """A session as its agent sees it."""
    return {
        "session_id": session.key,
        "agent_id": session.agent_id,
        "project": session.project,
        "metadata": session.metadata,
        "started_at": moment(session.started_at),
    }


def promotion_payload(promotion: Promotion) -> dict[str, Any]:
    """A session record that was kept."""
    return {
        "session_record_id": str(promotion.session_record_id),
        "id": str(promotion.record.id),
        "deduped": promotion.deduped,
    }


def item_error(problem: MetronixError | None, request_id: str) -> dict[str, Any] | None:
    """The error of one item of a batch, in the shape of every error."""
    return None if problem is None else error_body(problem, request_id)
