"""Writing which entities records name."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence

from django.db import connection

from memory.entities.dates import day_key
from memory.entities.vocabulary import Entity, EntityKind, entity_id
from memory.models import MemoryRecord


def link_entities(pairs: Iterable[tuple[MemoryRecord, Sequence[Entity]]]) -> None:
    """Make the mentions of each record those given and its own day; inside the caller's transaction, one statement.

    The day is that of `created_at` in UTC, which importers set to when something was said. All records lie in one
    workspace.
    """
    records: dict[uuid.UUID, MemoryRecord] = {}
    entities: dict[uuid.UUID, Entity] = {}
    mentions: list[tuple[uuid.UUID, uuid.UUID]] = []
    for record, named in pairs:
        records[record.id] = record
        day = day_key(record.created_at.date())
        for entity in {*named, Entity(EntityKind.DATE, day, day)}:
            number = entity_id(record.workspace_id, entity.kind, entity.key)
            entities[number] = entity
            mentions.append((record.id, number))
    if not records:
        return
    workspace_id = next(iter(records.values())).workspace_id
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT metronix_link_entities("
            "%s, %s::uuid[], %s::uuid[], %s::text[], %s::text[], %s::text[], %s::uuid[], %s::uuid[])",
            [
                workspace_id,
                list(records),
                list(entities),
                [entity.kind.value for entity in entities.values()],
                [entity.key for entity in entities.values()],
                [entity.name for entity in entities.values()],
                [record_id for record_id, _ in mentions],
                [number for _, number in mentions],
            ],
        )
