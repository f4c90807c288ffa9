"""The first page: simple questions answered, each number a link to the rows behind it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from memory.overview import BusyAgent, Day, Overview, overview
from metronix.adminsite.display import relative
from metronix.adminsite.who import of_request
from metronix.tenancy import policy


def context(request: HttpRequest, base: dict[str, Any]) -> dict[str, Any]:
    """Unfold's DASHBOARD_CALLBACK."""
    found = overview()
    return base | {
        "title": "Overview",
        "overview": found,
        "cards": _cards(found),
        "statuses": [
            {
                "name": status,
                "count": count,
                "share": round(100 * count / found.records, 1),
                "href": _rows("memoryrecord", status__exact=status),
            }
            for status, count in found.by_status
        ],
        "days": _days(found.per_day),
        "stored": sum(day.count for day in found.per_day),
        "busiest": [{"agent": agent, "href": _agent(agent)} for agent in found.busiest],
        "may_administer": policy.may_administer(of_request(request)),
    }


def _rows(model: str, app: str = "memory", **query: str) -> str:
    address = reverse(f"admin:{app}_{model}_changelist")
    return f"{address}?{urlencode(query)}" if query else address


def _cards(found: Overview) -> list[dict[str, Any]]:
    return [
        {
            "question": "Live memories",
            "count": found.live,
            "note": f"of {found.records:,}",
            "href": _rows("memoryrecord"),
        },
        {
            "question": "Agents",
            "count": found.agents,
            "note": f"in {found.workspaces:,} workspace{'' if found.workspaces == 1 else 's'}",
            "href": _rows("agent", "metronix"),
        },
        {
            "question": "Open sessions",
            "count": found.open_sessions,
            "note": "",
            "href": _rows("session", ended_at__isempty="1"),
        },
        {
            "question": "Vectors to come",
            "count": found.embeddings_pending,
            "note": "found by their words meanwhile" if found.embeddings_pending else "all embedded",
            "tone": "warning" if found.embeddings_pending else "good",
            "href": _rows("memoryrecord", embedding_status__exact="pending"),
        },
        {
            "question": "Failed vectors",
            "count": found.embeddings_failed,
            "note": "the text cannot be embedded" if found.embeddings_failed else "none failed",
            "tone": "bad" if found.embeddings_failed else "good",
            "href": _rows("memoryrecord", embedding_status__exact="failed"),
        },
        {
            "question": "Failed deliveries",
            "count": found.deliveries_failed,
            "note": _waiting(found),
            "tone": "bad" if found.deliveries_failed else "good",
            "href": _rows("delivery", state__exact="failed"),
        },
    ]


def _waiting(found: Overview) -> str:
    if found.oldest_pending is None:
        return "none waiting"
    return f"{found.deliveries_pending:,} waiting, oldest {relative(found.oldest_pending, timezone.now())}"


def _days(days: list[Day]) -> list[dict[str, Any]]:
    """Bars from 0 to 100; a day with anything is at least visible."""
    most = max((day.count for day in days), default=0) or 1
    return [
        {
            "date": day.date,
            "count": day.count,
            "height": max(round(100 * day.count / most), 3) if day.count else 0,
            "href": _rows(
                "memoryrecord",
                stored_at__gte=day.date.isoformat(),
                stored_at__lt=(day.date + timedelta(days=1)).isoformat(),
            ),
        }
        for day in days
    ]


def _agent(agent: BusyAgent) -> str:
    return _rows("memoryrecord", agent=agent.agent_id, workspace__id__exact=agent.workspace_id)
