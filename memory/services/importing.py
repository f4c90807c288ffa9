"""Storing much at once: from an importer's entries, repeatable and resumable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby, islice

from memory.importers.conversations import Entry, Rejected
from memory.models import MemoryRecord, RecordVersion
from memory.services.batch import store_drafts
from memory.services.preparation import content_hash
from metronix.errors import MetronixError
from metronix.tenancy.access import place
from metronix.tenancy.bootstrap import ensure_workspace
from metronix.tenancy.context import tenant
from metronix.tenancy.principal import Principal, Role

CHUNK = 64
"""Entries embedded and committed together: what an interruption can cost."""


@dataclass
class ImportReport:
    """How many entries were stored, were there already, and could not be taken (with place and reason)."""

    stored: int = 0
    known: int = 0
    rejected: list[Rejected] = field(default_factory=list)

    @property
    def seen(self) -> int:
        """All entries so far."""
        return self.stored + self.known + len(self.rejected)


def import_entries(
    principal: Principal,
    entries: Iterable[Entry | Rejected],
    *,
    workspace_id: str | None,
    on_progress: Callable[[ImportReport], None],
) -> ImportReport:
    """Store entries in their order. An entry whose agent has or had that content, in whatever status, is skipped:

    a second run, or one after an interruption, adds what is missing and revives nothing that was put away.
    """
    report = ImportReport()
    places: dict[tuple[str, str], Principal] = {}
    for chunk in _chunks(entries):
        report.rejected += [entry for entry in chunk if isinstance(entry, Rejected)]
        good = [entry for entry in chunk if isinstance(entry, Entry)]
        for key, group in groupby(good, key=lambda entry: (workspace_id or entry.workspace_id or "", entry.agent_id)):
            members = list(group)
            try:
                if key not in places:
                    places[key] = _placed(principal, *key)
                _store(places[key], members, report)
            except MetronixError as problem:
                report.rejected += [Rejected(entry.where, problem.message) for entry in members]
        on_progress(report)
    return report


def _placed(principal: Principal, workspace_id: str, agent_id: str) -> Principal:
    if workspace_id:
        ensure_workspace(workspace_id)
    return place(principal, workspace=workspace_id or None, agent=agent_id, role=Role.EDITOR)


def _store(principal: Principal, members: list[Entry], report: ImportReport) -> None:
    digests = [content_hash(entry.draft.content) for entry in members]
    with tenant(principal):
        mine = MemoryRecord.objects.filter(workspace_id=principal.workspace_id, agent_id=principal.agent_id)
        former = RecordVersion.objects.filter(
            workspace_id=principal.workspace_id, record__agent_id=principal.agent_id, content_hash__in=digests
        )
        known = {
            *mine.filter(content_hash__in=digests).values_list("content_hash", flat=True),
            *former.values_list("content_hash", flat=True),
        }
    fresh = [entry.draft for entry, digest in zip(members, digests, strict=True) if digest not in known]
    outcomes = store_drafts(principal, fresh) if fresh else []
    stored = sum(not outcome.deduped for outcome in outcomes)
    report.stored += stored
    report.known += len(members) - stored


def _chunks(entries: Iterable[Entry | Rejected]) -> Iterator[list[Entry | Rejected]]:
    iterator = iter(entries)
    while chunk := list(islice(iterator, CHUNK)):
        yield chunk
