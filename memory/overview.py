"""The numbers of the admin's first page; each is a query over what the current transaction may see."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Count, Max, Q
from django.db.models.functions import TruncDate
from django.utils import timezone

from memory.models import Delivery, MemoryRecord, Session
from memory.querysets import unexpired
from memory.vocabulary import LIVE, EmbeddingStatus, Status
from metronix.tenancy.models import Agent, Workspace

DAYS = 14
MOST_AGENTS = 8


@dataclass(frozen=True)
class Day:
    """Records stored on one day (UTC)."""

    date: date
    count: int


@dataclass(frozen=True)
class BusyAgent:
    """An agent with its records and its latest write."""

    workspace_id: str
    agent_id: str
    records: int
    latest: datetime


@dataclass(frozen=True)
class Overview:
    """How the memory is doing. `by_status` names every status that occurs, in the vocabulary's order."""

    records: int
    live: int
    by_status: list[tuple[str, int]]
    per_day: list[Day]
    workspaces: int
    agents: int
    busiest: list[BusyAgent]
    open_sessions: int
    embeddings_pending: int
    embeddings_failed: int
    deliveries_pending: int
    deliveries_failed: int
    oldest_pending: datetime | None


def overview() -> Overview:
    """Eight queries, whatever the number of workspaces; call it inside `granted_visible`."""
    counts = MemoryRecord.objects.aggregate(
        live=Count("id", filter=Q(status__in=LIVE) & unexpired()),
        pending=Count("id", filter=Q(embedding_status=EmbeddingStatus.PENDING)),
        failed=Count("id", filter=Q(embedding_status=EmbeddingStatus.FAILED)),
        **{f"status_{status.value}": Count("id", filter=Q(status=status)) for status in Status},
    )
    by_status = [(status.value, counts[f"status_{status.value}"]) for status in Status]
    deliveries = dict(Delivery.objects.order_by().values_list("state").annotate(n=Count("id")))
    waiting = Delivery.objects.filter(state="pending").order_by("event__created_at")
    oldest = waiting.values_list("event__created_at", flat=True).first()
    return Overview(
        records=sum(count for _, count in by_status),
        live=counts["live"],
        by_status=[(status, count) for status, count in by_status if count],
        per_day=_per_day(timezone.now().date()),
        workspaces=Workspace.objects.count(),
        agents=Agent.objects.count(),
        busiest=_busiest(),
        open_sessions=Session.objects.filter(ended_at=None).count(),
        embeddings_pending=counts["pending"],
        embeddings_failed=counts["failed"],
        deliveries_pending=deliveries.get("pending", 0),
        deliveries_failed=deliveries.get("failed", 0),
        oldest_pending=oldest,
    )


def _per_day(today: date) -> list[Day]:
    """The last days, empty ones included. By the time of storing: an import may set `created_at` years back."""
    first = today - timedelta(days=DAYS - 1)
    rows = (
        MemoryRecord.objects.filter(stored_at__date__gte=first)
        .order_by()
        .annotate(day=TruncDate("stored_at"))
        .values_list("day")
        .annotate(n=Count("id"))
    )
    found = dict(rows)
    return [Day(day, found.get(day, 0)) for day in (first + timedelta(days=n) for n in range(DAYS))]


def _busiest() -> list[BusyAgent]:
    rows = (
        MemoryRecord.objects.order_by()
        .values("workspace_id", "agent_id")
        .annotate(records=Count("id"), latest=Max("stored_at"))
        .order_by("-latest")[:MOST_AGENTS]
    )
    return [BusyAgent(**row) for row in rows]
