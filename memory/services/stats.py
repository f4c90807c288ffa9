"""What a workspace holds, in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max

from memory.models import MemoryRecord, RecordVersion, Session
from metronix.tenancy.context import tenant
from metronix.tenancy.models import Agent
from metronix.tenancy.principal import Principal


@dataclass(frozen=True)
class WorkspaceStats:
    """Counts of records by status, and of what belongs to them; `last_stored_at` is None for an empty workspace."""

    workspace_id: str
    records: int
    records_by_status: dict[str, int]
    records_pending_embedding: int
    versions: int
    sessions: int
    agents: int
    last_stored_at: datetime | None


def workspace_stats(principal: Principal) -> WorkspaceStats:
    """Numbers of the principal's workspace: those of an agent's own reach where it acts as one."""
    with tenant(principal):
        records = MemoryRecord.objects.reachable_by_id(principal).order_by()
        by_status = dict(records.values_list("status").annotate(number=Count("id")))
        sessions = Session.objects.filter(workspace_id=principal.workspace_id)
        if principal.agent_id is not None:
            sessions = sessions.filter(agent_id=principal.agent_id)
        return WorkspaceStats(
            workspace_id=principal.workspace_id,
            records=sum(by_status.values()),
            records_by_status=by_status,
            records_pending_embedding=records.exclude(embedding_status="ready").count(),
            versions=RecordVersion.objects.filter(record__in=records).count(),
            sessions=sessions.count(),
            agents=Agent.objects.filter(workspace_id=principal.workspace_id).count(),
            last_stored_at=records.aggregate(last=Max("stored_at"))["last"],
        )
