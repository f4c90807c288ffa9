"""The part of the graph leg that comes from what question and record both name."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from memory.entities.question import Asked, asked_in, matching_date
from memory.entities.vocabulary import EntityKind, entity_id
from memory.models import Entity
from memory.search.candidates import Candidate

SPEAKER_WEIGHT = 0.2
"""For a record said by the one speaker whom the question names, half for one of several."""
DATE_WEIGHT = 0.4
"""For a record of the day asked for, or that names it, half for the month."""
SHARED_WEIGHT = 0.2
"""For any other entity in common; on LoCoMo it changes nothing, since the lexical leg has counted its words already.

Half of all three gives a recall@10 of .766 there, one and a half times .778, these .779: nothing hangs on them.
"""
MOST_DATES = 200


@dataclass(frozen=True, slots=True)
class AskedEntity:
    """An entity of the question by its id in the workspace."""

    id: uuid.UUID
    kind: EntityKind
    key: str
    closeness: float


@dataclass(frozen=True, slots=True)
class EntityPart:
    """How close a record is to the question's entities; each number 0..1, `score` what they come to."""

    speaker: float
    date: float
    shared: float
    score: float


NOTHING = EntityPart(0.0, 0.0, 0.0, 0.0)


def asked_entities(workspace_id: str, query: str) -> list[AskedEntity]:
    """The question's entities, those with an open date looked up; inside `tenant`. None when the leg is off."""
    if not settings.METRONIX_SEARCH_ENTITIES:
        return []
    asked, dates = asked_in(query, timezone.now().date(), settings.METRONIX_LANGUAGE)
    if dates.beginnings:
        wanted = Q()
        for beginning in dates.beginnings:
            pattern = beginning.replace("?", ".")
            # The month itself answers a question about one of its days.
            wanted |= Q(key__regex=f"^{pattern}") | Q(key__regex=f"^{pattern[:7]}$")
        keys = Entity.objects.filter(wanted, workspace_id=workspace_id, kind=EntityKind.DATE).order_by("-key")
        for key in keys.values_list("key", flat=True)[:MOST_DATES]:
            closeness = max(matching_date(key, beginning) or 0.0 for beginning in dates.beginnings)
            if closeness:
                asked.append(Asked(EntityKind.DATE, key, closeness))
    closest: dict[tuple[EntityKind, str], float] = {}
    for one in asked:
        closest[one.kind, one.key] = max(one.closeness, closest.get((one.kind, one.key), 0.0))
    return [
        AskedEntity(entity_id(workspace_id, kind, key), kind, key, closeness)
        for (kind, key), closeness in closest.items()
    ]


def entity_parts(asked: list[AskedEntity], candidates: Iterable[Candidate]) -> dict[uuid.UUID, EntityPart]:
    """The part of each candidate that names something of the question (`Candidate.entities` are places in `asked`)."""
    matched = {
        candidate.record_id: [asked[place] for place in candidate.entities]
        for candidate in candidates
        if candidate.entities
    }
    speakers = {one.key for entities in matched.values() for one in entities if one.kind is EntityKind.SPEAKER}
    return {record_id: _part(entities, speakers) for record_id, entities in matched.items()}


def _part(entities: list[AskedEntity], speakers: set[str]) -> EntityPart:
    spoken = any(one.kind is EntityKind.SPEAKER for one in entities)
    speaker = (1.0 if len(speakers) == 1 else 0.5) if spoken else 0.0
    date = max((one.closeness for one in entities if one.kind is EntityKind.DATE), default=0.0)
    # Who is spoken to by name is not who is spoken of: a turn that begins "Anna, ..." is the other's.
    others = [one for one in entities if one.kind not in (EntityKind.SPEAKER, EntityKind.DATE)]
    shared = 1.0 if any(one.kind is not EntityKind.NAME or one.key not in speakers for one in others) else 0.0
    return EntityPart(speaker, date, shared, entity_score(speaker, date, shared))


def entity_score(speaker: float, date: float, shared: float) -> float:
    """The weighted sum of the three, at most 0.8."""
    return SPEAKER_WEIGHT * speaker + DATE_WEIGHT * date + SHARED_WEIGHT * shared
