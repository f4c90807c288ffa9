"""/stats and /workspaces/{id}/stats."""

from __future__ import annotations

from dataclasses import asdict

from pydantic import BaseModel
from rest_framework.response import Response

from memory.presentation import moment
from memory.services.stats import workspace_stats
from metronix.api.endpoint import Endpoint
from metronix.api.inputs import Acting
from metronix.api.operation import Call, operation
from metronix.api.outputs import Moment
from metronix.tenancy.principal import Role


class StatsReply(BaseModel):
    """Counts of what the caller reaches in the workspace."""

    workspace_id: str
    records: int
    records_by_status: dict[str, int]
    records_pending_embedding: int
    versions: int
    sessions: int
    agents: int
    last_stored_at: Moment | None


class Stats(Endpoint):
    """/stats, of the workspace in the query."""

    @operation("stats", "Numbers of the caller's workspace", role=Role.VIEWER, query=Acting, reply=StatsReply)
    def get(self, call: Call) -> Response:
        """Records by status, sessions, agents."""
        return answer(call)


class WorkspaceStats(Endpoint):
    """/workspaces/{id}/stats."""

    @operation("workspace_stats", "Numbers of a workspace", role=Role.VIEWER, query=Acting, reply=StatsReply)
    def get(self, call: Call) -> Response:
        """Records by status, sessions, agents."""
        return answer(call)


def answer(call: Call) -> Response:
    """Of the workspace the caller was placed in."""
    stats = workspace_stats(call.principal)
    return Response({**asdict(stats), "last_stored_at": moment(stats.last_stored_at)})
