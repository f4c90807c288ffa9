"""What a question names, and how close an entity with that name or date brings a record to it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta

from memory.entities.dates import date_keys, day_key, month_key, week_key
from memory.entities.names import names_in
from memory.entities.patterns import formal_entities
from memory.entities.vocabulary import EntityKind, entity
from memory.terms.analysis import fold
from memory.terms.stopwords import is_stopword

SAME = 1.0
SAME_MONTH = 0.5
"""A date that agrees as far as the less precise of the two goes: half as close as the same day (or week)."""
MOST_NAMED = 48
"""Entities a question is looked up by; a page of text pasted as a question names no one thing."""
_WORD = re.compile(r"[^\W\d_]+(?:[-'\u2019][^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Asked:
    """An entity a record may name, 0..1 close to the question if it does."""

    kind: EntityKind
    key: str
    closeness: float


@dataclass(frozen=True, slots=True)
class AskedDates:
    """Keys to look for by their beginning, `????` standing for any year; the caller knows which there are."""

    beginnings: tuple[str, ...]


def asked_in(question: str, today: date, language: str = "english") -> tuple[list[Asked], AskedDates]:
    """Entities with keys that follow from the question alone, and dates that do not.

    Every word may be a speaker's name, however it is written; names need their capitals, unless the question has none.
    """
    formal, rest = formal_entities(question)
    asked = [Asked(named.kind, named.key, SAME) for named in formal]
    names = names_in(rest, language)
    words = [fold(re.sub(r"['\u2019]s?\Z", "", word)) for word in _WORD.findall(rest)]
    plain = [word for word in words if len(word) > 1 and not is_stopword(word, language)]
    speakers = [*(named.key for named in names), *(entity(EntityKind.SPEAKER, word).key for word in plain)]
    asked += [Asked(EntityKind.SPEAKER, key, SAME) for key in speakers]
    asked += [Asked(EntityKind.NAME, named.key, SAME) for named in names]
    if rest == rest.lower():
        asked += [Asked(EntityKind.NAME, word, SAME) for word in plain]
    beginnings: list[str] = []
    for key in date_keys(rest, today, language, nearest_year=False):
        exact, open_keys = _date(key)
        asked += exact
        beginnings += open_keys
    return list(dict.fromkeys(asked))[:MOST_NAMED], AskedDates(tuple(beginnings))


def matching_date(key: str, beginning: str) -> float | None:
    """How close a known date is to one asked for by its beginning; None when it is another date."""
    year, rest = beginning[:4], beginning[4:]
    if (year != "????" and key[:4] != year) or not (key[4:].startswith(rest) or rest.startswith(key[4:] or "-")):
        return None
    return SAME if key[4:] == rest and len(rest) == 6 else SAME_MONTH


def _date(key: str) -> tuple[list[Asked], list[str]]:
    kind = EntityKind.DATE
    if key.startswith("????"):
        return [], [key]
    if "W" in key:
        return [Asked(kind, key, SAME), *(Asked(kind, day, SAME_MONTH) for day in _days_of_week(key))], []
    if len(key) == 10:
        day = date.fromisoformat(key)
        return [
            Asked(kind, key, SAME),
            Asked(kind, week_key(day), SAME_MONTH),
            Asked(kind, month_key(day), SAME_MONTH),
        ], []
    if len(key) == 7:
        return [], [key]
    return [Asked(kind, key, SAME_MONTH)], []


def _days_of_week(key: str) -> list[str]:
    try:
        monday = date.fromisocalendar(int(key[:4]), int(key[6:]), 1)
        return [day_key(monday + timedelta(days=step)) for step in range(7)]
    except (ValueError, OverflowError):  # the first and the last week that dates can tell
        return []
