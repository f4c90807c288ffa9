"""Within what a content is unique: one workspace, agent, scope and, for session records, session."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from memory.models import MemoryRecord
from memory.querysets import RecordQuerySet
from memory.vocabulary import LIVE, Scope

UNIQUE_LIVE_CONTENT = "memory_live_content"
"""The unique index over the live records of a partition (migration 0002)."""


@dataclass(frozen=True, slots=True)
class Partition:
    """Where a record's content counts as said before. `session_key` is None but for session records."""

    workspace_id: str
    agent_id: str
    scope: str
    session_key: str | None

    @classmethod
    def of(cls, record: MemoryRecord) -> Partition:
        """The partition a record lies in."""
        return cls.named(record.workspace_id, record.agent_id, record.scope, record.session_key)

    @classmethod
    def named(cls, workspace_id: str, agent_id: str, scope: str, session_key: str | None) -> Partition:
        """The partition of a record to be; other scopes' sessions do not part anything."""
        return cls(workspace_id, agent_id, str(scope), session_key if scope == Scope.SESSION else None)

    def records(self, hashes: Iterable[str]) -> RecordQuerySet:
        """Its records with one of these content hashes, whatever their status."""
        found = MemoryRecord.objects.filter(
            workspace_id=self.workspace_id, agent_id=self.agent_id, scope=self.scope, content_hash__in=list(hashes)
        )
        return found.filter(session_key=self.session_key) if self.session_key is not None else found

    def in_the_way(self, hashes: Iterable[str]) -> RecordQuerySet:
        """Those that the unique index counts: live by status, expired or not."""
        return self.records(hashes).filter(status__in=LIVE)
