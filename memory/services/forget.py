"""Forgetting: everything of an agent, a user, a session, or that meets a filter."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import QuerySet

from memory import fields
from memory.events import append_event
from memory.models import MemoryRecord, Session
from memory.querysets import RecordQuerySet
from memory.services.bulk import erase
from memory.vocabulary import ALL, PUBLIC, Kind, Scope
from metronix.errors import InvalidParams
from metronix.tenancy.access import require_role
from metronix.tenancy.context import tenant
from metronix.tenancy.models import User
from metronix.tenancy.principal import Principal, Role

STEP = 500
"""Rows deleted in one transaction."""
SHOWN = 100


@dataclass(frozen=True)
class Wanted:
    """What is to be forgotten: records that meet all that is given; nothing given is refused.

    `user` is a principal's id (`user:<uuid>`, `key:<uuid>`), a user's bare id, or their e-mail address.
    """

    agent_id: str | None = None
    user: str | None = None
    session_id: str | None = None
    scope: str | None = None
    kinds: Sequence[str] = ()
    statuses: Sequence[str] = ()
    source_types: Sequence[str] = ()
    tags: Sequence[str] = ()
    project: str | None = None
    created_before: datetime | None = None
    created_after: datetime | None = None

    @property
    def is_empty(self) -> bool:
        """True when nothing is given."""
        given = [name for name in self.__dataclass_fields__ if getattr(self, name)]
        return not given or (given == ["statuses"] and ALL in self.statuses)

    @property
    def is_filtered(self) -> bool:
        """True when only some records of an agent or session are meant, so that their sessions stay."""
        return any(getattr(self, name) for name in self.__dataclass_fields__ if name not in ("agent_id", "session_id"))


@dataclass
class Forgotten:
    """How many records matched and how many went; the ids of the first hundred; the sessions that went with them."""

    matched: int = 0
    deleted: int = 0
    sessions: int = 0
    record_ids: list[uuid.UUID] = field(default_factory=list)


def forget(principal: Principal, wanted: Wanted, *, dry_run: bool = True) -> Forgotten:
    """Delete what matches, in steps; after an interruption a second call does the rest.

    Reaches what the principal reaches: an agent its own memory, someone without an agent the whole workspace.
    Forgetting by user is for administrators. Errors: InvalidParams (nothing is given), Forbidden.
    """
    require_role(principal, Role.EDITOR)
    if wanted.user is not None:
        require_role(principal, Role.ADMIN)
    if wanted.is_empty:
        raise InvalidParams(
            "Say what to forget: agent_id, user, session_id or filter.",
            field="filter",
            hint="An empty request would mean everything.",
        )
    with tenant(principal):
        _require_one_session(principal, wanted)
        found = _matching(principal, wanted)
        report = Forgotten(
            matched=found.count(),
            sessions=_sessions(principal, wanted).count() if not wanted.is_filtered else 0,
            record_ids=list(found.order_by("-created_at", "-id").values_list("id", flat=True)[:SHOWN]),
        )
    if dry_run:
        return report
    while True:
        with tenant(principal):
            ids = list(_matching(principal, wanted).order_by("id").values_list("id", flat=True)[:STEP])
            report.deleted += len(erase(principal, MemoryRecord.objects.filter(id__in=ids)))
        if len(ids) < STEP:
            break
    with tenant(principal):
        if not wanted.is_filtered:
            _sessions(principal, wanted).delete()
        append_event(principal, "memory_forgotten", data={"records": report.deleted, "sessions": report.sessions})
    return report


def _matching(principal: Principal, wanted: Wanted) -> RecordQuerySet:
    """Quarantined records too: forgetting shows nothing of them."""
    records = MemoryRecord.objects.filter(workspace_id=principal.workspace_id)
    if principal.agent_id is not None:
        records = records.filter(agent_id=principal.agent_id)
    conditions = {
        "agent_id": wanted.agent_id,
        "session_key": wanted.session_id,
        "principal": None if wanted.user is None else _principal_id(wanted.user),
        "scope": wanted.scope and fields.member("scope", wanted.scope, Scope).value,
        "kind__in": [fields.member("kind_filter", kind, Kind).value for kind in wanted.kinds],
        "source_type__in": list(wanted.source_types),
        "project": wanted.project,
        "created_at__lt": wanted.created_before,
        "created_at__gt": wanted.created_after,
    }
    records = records.filter(**{name: value for name, value in conditions.items() if value})
    if wanted.statuses:
        named = fields.statuses(wanted.statuses, PUBLIC)
        records = records if ALL in named else records.filter(status__in=named)
    return records.tagged(fields.tags(wanted.tags))


def _require_one_session(principal: Principal, wanted: Wanted) -> None:
    """A session belongs to its agent: an id that several agents use means none of them."""
    if wanted.session_id is not None and _sessions(principal, wanted).count() > 1:
        raise InvalidParams("Several agents have a session of that id; name the agent.", field="agent_id")


def _sessions(principal: Principal, wanted: Wanted) -> QuerySet[Session]:
    """Sessions that go as a whole: their own metadata would outlive their records."""
    sessions = Session.objects.filter(workspace_id=principal.workspace_id)
    if principal.agent_id is not None:
        sessions = sessions.filter(agent_id=principal.agent_id)
    if wanted.agent_id is not None:
        sessions = sessions.filter(agent_id=wanted.agent_id)
    return sessions.filter(key=wanted.session_id) if wanted.session_id is not None else sessions


def _principal_id(user: str) -> str:
    if "@" in user:
        known = User.objects.filter(email=user.lower()).first()
        return f"user:{known.id}" if known is not None else user
    try:
        return f"user:{uuid.UUID(user)}"
    except ValueError:
        return user
