"""What is found in a pair before it is weighed: conflicts of value, polarity, cues, subjects."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from . import cues
from .alignment import VARIANT, Alignment, align
from .attributes import PERSONS, STAGES, same_scope_family
from .dates import DateValue
from .lexicon import word_set
from .negation import BY_LANGUAGE, FRENCH_ONLY, HARMLESS_STEMS, NEGATORS, SCOPE_WORDS, is_negative
from .opposites import opposites_of
from .units import Reading, Unit

Pair = tuple[Unit, Unit]


@dataclass
class Side:
    """One statement's own signs."""

    reading: Reading
    negators: list[Unit]
    negatives: list[Unit]
    strong: list[re.Match[str]]
    weak: list[re.Match[str]]
    changes: list[Unit]
    becoming: list[re.Match[str]]
    events: list[Unit]
    foreign_event: bool
    past: bool
    former: bool
    stage: int | None

    @property
    def stage_words(self) -> set[str]:
        """The words that place this statement at its stage."""
        return {unit.key for unit in self.reading.units if STAGES.get(unit.key) == self.stage}


@dataclass
class Evidence:
    """Everything the features and the reasons are made from."""

    a: Side
    b: Side
    alignment: Alignment
    values: list[Pair] = field(default_factory=list)
    opposites: list[Pair] = field(default_factory=list)
    scopes: list[Pair] = field(default_factory=list)
    negated: list[Unit] = field(default_factory=list)
    persons: list[Unit] = field(default_factory=list)
    swapped: Pair | None = None

    def negations(self, side: Side) -> int:
        """Words that negate in one statement, without those that already make a pair of opposites."""
        paired = {id(unit) for pair in self.opposites for unit in pair}
        return sum(id(unit) not in paired for unit in (*side.negators, *side.negatives))


def _negators(reading: Reading) -> list[Unit]:
    found = []
    for unit in reading.units:
        word = unit.folded
        if word in NEGATORS and not (word in FRENCH_ONLY and reading.language not in ("french",)):
            if word in ("sin", "non", "no") and reading.language not in ("english", "spanish", "italian", "french"):
                continue
            found.append(unit)
        elif word in BY_LANGUAGE.get(reading.language, ()):
            found.append(unit)
    return found


def _harmless(reading: Reading, negator: Unit) -> bool:
    following = [unit for unit in reading.units if unit.start > negator.start][:1]
    return any(unit.key in HARMLESS_STEMS for unit in following)


@lru_cache(maxsize=4_096)
def look_at(reading: Reading) -> Side:
    """The signs in one statement."""
    text = reading.text
    negators = _negators(reading)
    negatives = [unit for unit in reading.units if unit.kind == "word" and is_negative(unit.folded, unit.key)]
    strong = list(cues.STRONG.finditer(text))
    affirmed = {id(negator) for negator in negators if _harmless(reading, negator)}
    negators = [unit for unit in negators if id(unit) not in affirmed]
    stages = [STAGES[unit.key] for unit in reading.units if unit.key in STAGES]
    becoming = list(cues.BECOMING.finditer(text))
    weak = list(cues.WEAK.finditer(text))
    changes = [
        unit
        for unit in cues.happening(reading.units)
        if unit.kind != "code" and (unit.key in cues.CHANGE_STEMS or unit.folded in cues.CHANGE_STEMS)
    ]
    return Side(
        reading,
        negators,
        negatives,
        strong,
        weak,
        changes,
        becoming,
        cues.event_words(reading.units),
        reading.language != "english" and cues.foreign_event(text),
        cues.past_tense(text),
        bool(cues.FORMER.search(text)),
        max(stages, default=None),
    )


def _comparable(a: Unit, b: Unit) -> bool:
    """Whether two left-over units are values of one kind that differ."""
    if a.kind != b.kind:
        return False
    if isinstance(a.value, DateValue):
        return a.value.agreement(b.value) is False
    if a.kind == "quantity":
        one, two = a.value.dimension, b.value.dimension
        loose = {"plain", "version", "ordinal"}
        return one == two or (one in loose and two in loose)
    return a.kind in ("clock", "rate", "code")


def gather(a: Reading, b: Reading) -> Evidence:
    """Compare two readings."""
    found = Evidence(look_at(a), look_at(b), align(a, b))
    a_left, b_left = list(found.alignment.a_rest), list(found.alignment.b_rest)
    for mine in list(a_left):
        for theirs in b_left:
            if _comparable(mine, theirs):
                found.values.append((mine, theirs))
                a_left.remove(mine)
                b_left.remove(theirs)
                break
    _opposites(found)
    for mine in a_left:
        for theirs in b_left:
            if same_scope_family(mine.key, theirs.key):
                found.scopes.append((mine, theirs))
                break
    found.negated = _negated(found)
    left = (*found.alignment.a_rest, *found.alignment.b_rest)
    found.persons = [unit for unit in left if unit.key in PERSONS]
    found.swapped = _swapped(found)
    return found


_PASSIVE = word_set("by von par por da door")


def _swapped(found: Evidence) -> Pair | None:
    """Two names that changed places around the same words ("X reports to Y", "Y reports to X")."""
    if found.alignment.a_rest or found.alignment.b_rest:
        return None
    names = [(one, two) for one, two, _ in found.alignment.pairs if one.kind == two.kind == "name"]
    rest = [(one, two) for one, two, _ in found.alignment.pairs if one.kind != "name" or two.kind != "name"]
    if (
        len(names) < 2
        or any(one.folded != two.folded for one, two in rest)
        or any(unit.folded in _PASSIVE for side in (found.a, found.b) for unit in side.reading.units)
    ):
        return None
    names.sort(key=lambda pair: pair[0].start)
    return (names[0][0], names[0][1]) if names[0][1].start > names[-1][1].start else None


def _opposites(found: Evidence) -> None:
    settled = {id(unit) for one, two, strength in found.alignment.pairs if strength > VARIANT for unit in (one, two)}
    a_words = {unit.folded for unit in found.a.reading.units}
    b_words = {unit.folded for unit in found.b.reading.units}
    theirs = [unit for unit in found.b.reading.units if unit.folded not in a_words and id(unit) not in settled]
    forms = {form for unit in theirs for form in (unit.key, unit.folded)}
    for mine in found.a.reading.units:
        if mine.folded in b_words or id(mine) in settled:
            continue
        against = (opposites_of(mine.key) | opposites_of(mine.folded)) & forms
        if against:
            found.opposites.append((mine, next(unit for unit in theirs if against & {unit.key, unit.folded})))


def _negated(found: Evidence) -> list[Unit]:
    """Content words in a negation's scope in one text that the other text has too."""
    common = {unit.key for unit, _, _ in found.alignment.pairs} | {unit.key for _, unit, _ in found.alignment.pairs}
    hit: list[Unit] = []
    for side in (found.a, found.b):
        units = side.reading.units
        for negator in side.negators:
            after = [unit for unit in units if unit.start > negator.start and unit.content][:SCOPE_WORDS]
            hit.extend(unit for unit in after if unit.key in common)
    return hit
