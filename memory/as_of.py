"""The workspace as it was: which records there were at a moment, with which content and status.

A record was there from `created_at` on (imports set it back). Its content then is the version valid then, its status
the one before the first change of status after that moment. What has been deleted since leaves nothing to tell of.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import CharField, F, OuterRef, Q, Subquery
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce

from memory.models import MachineEvent, MemoryRecord, RecordVersion
from memory.querysets import RecordQuerySet
from memory.vocabulary import LIVE
from metronix.errors import InvalidParams

MOST_VERSIONS = 50_000
"""An answer about the past scans the versions of the workspace; beyond this it would take seconds."""


def require_tractable(workspace_id: str) -> None:
    """Error: InvalidParams when the workspace has too many versions for an exact answer; inside `tenant`."""
    if RecordVersion.objects.filter(workspace_id=workspace_id)[MOST_VERSIONS : MOST_VERSIONS + 1].exists():
        raise InvalidParams(
            f"as_of is exact up to {MOST_VERSIONS:,} versions in a workspace; this one has more.", field="as_of"
        )


def with_status_then(
    records: RecordQuerySet, moment: datetime, *, among: Sequence[str] | None = None
) -> RecordQuerySet:
    """Records that were there, annotated with `status_then`, which is one of `among` where that is given."""
    next_change = (
        MachineEvent.objects.filter(
            workspace_id=OuterRef("workspace_id"),
            record_id=OuterRef("id"),
            event_type="status_changed",
            created_at__gt=moment,
        )
        .order_by("created_at")
        .values(old=KT("data__from"))[:1]
    )
    status_then = Coalesce(Subquery(next_change), F("status"), output_field=CharField())
    annotated = records.filter(created_at__lte=moment).annotate(status_then=status_then)
    return annotated.filter(Q(status_then__in=list(among))) if among is not None else annotated


def unexpired_then(moment: datetime) -> Q:
    """Records whose life and validity lasted beyond the moment, and those put away by then, which are seen by status.

    For records annotated by `with_status_then`.
    """
    return ~Q(status_then__in=LIVE) | (Q(ttl_expires_at__isnull=True) | Q(ttl_expires_at__gt=moment)) & (
        Q(valid_until__isnull=True) | Q(valid_until__gt=moment)
    )


def content_then(records: list[MemoryRecord], moment: datetime) -> list[MemoryRecord]:
    """Put the former content (hash, number, start) into records whose present one is younger than the moment."""
    changed = [record.id for record in records if record.content_since > moment]
    versions = {
        version.record_id: version
        for version in RecordVersion.objects.filter(
            record_id__in=changed, valid_from__lte=moment, valid_to__gt=moment
        ).defer("term_weights")
    }
    for record in records:
        record.status = getattr(record, "status_then", record.status)
        version = versions.get(record.id)
        if version is not None:
            record.content = version.content
            record.content_hash = version.content_hash
            record.version = version.number
            record.content_since = version.valid_from
    return records
