"""From a text to the entities it names; pure, and cheap enough for every store (a fraction of a millisecond)."""

from __future__ import annotations

from datetime import date

from memory.entities.dates import date_keys
from memory.entities.names import names_in, speaker_of
from memory.entities.patterns import formal_entities
from memory.entities.vocabulary import Entity, EntityKind

MOST_ENTITIES = 64
"""Of one text, in order of kind and appearance; a text that names more is a list, and tells little about each."""
LONGEST_TEXT = 16_384
"""Characters looked at: the worst case costs 10 ms, and what matters to a memory is named early."""


def entities_of(text: str, said_on: date, language: str = "english") -> list[Entity]:
    """What `text`, said on that day, names; each once. Never raises for any string."""
    speaker, rest = speaker_of(text[:LONGEST_TEXT])
    formal, rest = formal_entities(rest)
    dates = [Entity(EntityKind.DATE, key, key) for key in date_keys(rest, said_on, language)]
    found = [*([speaker] if speaker else []), *formal, *dates, *names_in(rest, language)]
    return list(dict.fromkeys(found))[:MOST_ENTITIES]
