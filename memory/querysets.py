"""Which records a principal may read. The search's own candidates (memory/sql) repeat the rule; a test compares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from memory.vocabulary import ALL, LIVE, Status
from metronix.tenancy.principal import Principal, PrincipalType

if TYPE_CHECKING:
    from memory.models.record import MemoryRecord  # noqa: F401


def unexpired() -> Q:
    """Records whose life and validity last beyond this moment, by the database's clock."""
    return (Q(ttl_expires_at__isnull=True) | Q(ttl_expires_at__gt=Now())) & (
        Q(valid_until__isnull=True) | Q(valid_until__gt=Now())
    )


class RecordQuerySet(models.QuerySet["MemoryRecord"]):
    """Reads start with `visible_to`; row-level security backs it in the database."""

    def visible_to(self, principal: Principal, *, session_key: str | None = None) -> Self:
        """Records of the principal's workspace within its reach.

        An agent reaches its own per_agent records, all global ones, and the session records of the session named.
        Without an agent (a user, an operator) every record of the workspace. Quarantined ones are for humans.
        """
        records = self.filter(workspace_id=principal.workspace_id)
        if principal.type is not PrincipalType.HUMAN:
            records = records.exclude(status=Status.QUARANTINED)
        if principal.agent_id is None:
            return records
        own = Q(agent_id=principal.agent_id, scope="per_agent")
        if session_key is not None:
            own |= Q(agent_id=principal.agent_id, scope="session", session_key=session_key)
        return records.filter(Q(scope="global") | own)

    def reachable_by_id(self, principal: Principal) -> Self:
        """As `visible_to`, and the agent's session records of all its sessions: who has the id may have it."""
        records = self.filter(workspace_id=principal.workspace_id)
        if principal.type is not PrincipalType.HUMAN:
            records = records.exclude(status=Status.QUARANTINED)
        if principal.agent_id is None:
            return records
        return records.filter(Q(scope="global") | Q(agent_id=principal.agent_id))

    def with_status(self, statuses: Sequence[str]) -> Self:
        """Records in these statuses, live ones only while unexpired; the sentinel "all" lifts both conditions.

        What was put away stays to be seen by its status: most of it was put away because it had expired.
        """
        if ALL in statuses:
            return self
        return self.filter(unexpired() | ~Q(status__in=LIVE), status__in=list(statuses))

    def tagged(self, tags: Sequence[str] | None) -> Self:
        """Records that have all of the tags."""
        return self.filter(tags__contains=list(tags)) if tags else self

    def live(self) -> Self:
        """Records that count as present knowledge."""
        return self.filter(unexpired(), status__in=LIVE)
