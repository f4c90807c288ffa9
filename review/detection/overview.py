"""What several groups of features need to know of a pair, worked out once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from .evidence import Evidence
from .subjects import subject_of
from .units import Unit

NAMES = ("name", "code")
VALUES = ("quantity", "date", "clock", "rate")
#: Names and values say more of what a text is about than ordinary words.
_HEAVY = ("name", "code", "quantity", "date", "clock")
_HEAVY_WEIGHT = 1.5


def share(part: float, whole: float) -> float:
    """A part of a whole, 0 of nothing."""
    return part / whole if whole else 0.0


def weight(unit: Unit) -> float:
    """How much a unit counts in the coverage of its text."""
    return _HEAVY_WEIGHT if unit.kind in _HEAVY else 1.0


class Overview:
    """Left-over units without those already in conflict, coverage, subjects, polarity."""

    def __init__(self, found: Evidence, similarity: float) -> None:
        self.found, self.similarity = found, similarity
        alignment = self.alignment = found.alignment
        self.a_units, self.b_units = found.a.reading.content(), found.b.reading.content()
        matched = sum(strength * min(weight(one), weight(two)) for one, two, strength in alignment.pairs)
        self.a_cover = share(matched, sum(map(weight, self.a_units)))
        self.b_cover = share(matched, sum(map(weight, self.b_units)))
        conflict = {id(unit) for pair in (*found.values, *found.opposites) for unit in pair}
        self.a_rest = [unit for unit in alignment.a_rest if id(unit) not in conflict]
        self.b_rest = [unit for unit in alignment.b_rest if id(unit) not in conflict]
        self.other = min(len(self.a_rest), len(self.b_rest))
        self.names_a = [unit for unit in alignment.a_rest if unit.kind in NAMES]
        self.names_b = [unit for unit in alignment.b_rest if unit.kind in NAMES]
        self.negations_a, self.negations_b = found.negations(found.a), found.negations(found.b)
        self.flipped = float((abs(self.negations_a - self.negations_b) + len(found.opposites)) % 2)
        self.common = {unit.key for one, two, _ in alignment.pairs for unit in (one, two)}

    @cached_property
    def subjects(self) -> Subjects:
        """The subjects of both and what of them the other text lacks."""
        mine, theirs = subject_of(self.found.a), subject_of(self.found.b)
        a_left = {id(unit) for unit in self.alignment.a_rest}
        b_left = {id(unit) for unit in self.alignment.b_rest}
        return Subjects(
            mine,
            theirs,
            [unit for unit in mine if id(unit) in a_left],
            [unit for unit in theirs if id(unit) in b_left],
        )


@dataclass(frozen=True)
class Subjects:
    """The words before the verb on both sides, and those of them that found no match."""

    a: list[Unit]
    b: list[Unit]
    a_alone: list[Unit]
    b_alone: list[Unit]

    @property
    def differ(self) -> bool:
        """Whether either subject has something that the other text lacks."""
        return bool(self.a_alone and self.b_alone)
