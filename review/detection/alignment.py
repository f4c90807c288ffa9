"""Which units of two texts say the same, and what stands in one text where the other has something else."""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import SequenceMatcher

from .dates import DateValue
from .synonyms import alike
from .units import Reading, Unit

#: Strengths of a match: the same unit, a spelling variant, a near-synonym.
EXACT, VARIANT, SYNONYM = 1.0, 0.9, 0.8
_VALUES = frozenset({"quantity", "date", "clock", "rate"})


@dataclass(frozen=True)
class Slot:
    """A stretch of A and what stands in its place in B."""

    a: list[Unit]
    b: list[Unit]
    a_place: float
    b_place: float


@dataclass
class Alignment:
    """The matched and the left-over content units of both sides."""

    pairs: list[tuple[Unit, Unit, float]] = field(default_factory=list)
    a_rest: list[Unit] = field(default_factory=list)
    b_rest: list[Unit] = field(default_factory=list)
    slots: list[Slot] = field(default_factory=list)
    order: float = 0.0
    """Share of units in one common order (the matcher's ratio), 0..1."""


def _edit_one(one: str, two: str) -> bool:
    """Whether two words differ by one letter put in, left out, changed, or a swapped pair."""
    if len(one) > len(two):
        one, two = two, one
    if len(two) - len(one) > 1:
        return False
    start = 0
    while start < len(one) and one[start] == two[start]:
        start += 1
    if len(one) < len(two):
        return one[start:] == two[start + 1 :]
    return one[start + 1 :] == two[start + 1 :] or (
        one[start : start + 2] == two[start : start + 2][::-1] and one[start + 2 :] == two[start + 2 :]
    )


def strength(a: Unit, b: Unit) -> float:
    """How well two units say the same, 0 for not at all."""
    if a.key == b.key or a.folded == b.folded:
        return EXACT
    if a.kind in _VALUES or b.kind in _VALUES:
        return _same_value(a, b)
    if a.kind == "code" or b.kind == "code":
        return _same_code(a.folded, b.folded)
    one, two = sorted((a.folded, b.folded), key=len)
    if a.kind == b.kind == "name" and not (a.initial or b.initial):
        # Names are compared strictly, but an initial stands for its name.
        if len(one) == 1 and two.startswith(one):
            return VARIANT
        return VARIANT if len(one) > 6 and _edit_one(one, two) else 0.0
    if alike(a.key, b.key) or alike(a.folded, b.folded):
        return SYNONYM
    if len(one) >= 5 and _edit_one(one, two):
        return VARIANT
    if len(one) == 1 and a.kind == b.kind == "name" and two.startswith(one):
        return VARIANT
    common = 0
    while common < len(one) and one[common] == two[common]:
        common += 1
    if common >= 3 and common == len(one) and len(two) - len(one) <= 9:
        return SYNONYM if common >= 4 or not (a.kind == b.kind == "name") else 0.0
    return SYNONYM if common >= 5 and common >= 0.6 * len(two) else 0.0


def _same_value(a: Unit, b: Unit) -> float:
    if isinstance(a.value, DateValue) and isinstance(b.value, DateValue):
        return VARIANT if a.value.agreement(b.value) else 0.0
    if a.kind == b.kind == "quantity":
        mine, theirs = a.value, b.value
        if mine.dimension == theirs.dimension and mine.dimension != "version":
            return VARIANT if abs(mine.value - theirs.value) <= 0.005 * max(abs(mine.value), abs(theirs.value)) else 0.0
        loose = {mine.dimension, theirs.dimension}
        if loose == {"plain", "version"}:
            return VARIANT if mine.text.lstrip("v") == theirs.text.lstrip("v") else 0.0
        if "plain" in loose and mine.value == theirs.value and "version" not in loose:
            return VARIANT
        if loose == {"plain", "ordinal"} and mine.value == theirs.value:
            return VARIANT
    return 0.0


def _same_code(one: str, two: str) -> float:
    plain_one, plain_two = (code.strip("-_/.").replace("-", "").replace("_", "") for code in (one, two))
    if plain_one == plain_two and plain_one:
        return VARIANT
    if len(one) > len(two):
        one, two = two, one
    return VARIANT if len(one) >= 4 and two.startswith(one) and two[len(one)] in "/:?" else 0.0


def align(a: Reading, b: Reading) -> Alignment:
    """Match the content units of two texts, each at most once, the best first."""
    result = Alignment()
    a_units, b_units = a.content(), b.content()
    by_key: dict[str, list[int]] = {}
    for index, unit in enumerate(b_units):
        by_key.setdefault(unit.key, []).append(index)
    free = [True] * len(b_units)
    left: list[Unit] = []
    for unit in a_units:
        places = by_key.get(unit.key)
        if places:
            index = places.pop(0)
            free[index] = False
            result.pairs.append((unit, b_units[index], EXACT))
        else:
            left.append(unit)
    rest = [unit for index, unit in enumerate(b_units) if free[index]]
    for wanted in (VARIANT, SYNONYM):
        for unit in list(left):
            for other in rest:
                found = strength(unit, other)
                if found >= wanted:
                    result.pairs.append((unit, other, found))
                    left.remove(unit)
                    rest.remove(other)
                    break
    result.a_rest, result.b_rest = left, rest
    _slots(a, b, result)
    return result


def _slots(a: Reading, b: Reading, result: Alignment) -> None:
    # Matched units count as equal wherever they stand, so a synonym is no slot.
    names = {id(unit): f"\0{number}" for number, pair in enumerate(result.pairs) for unit in pair[:2]}
    left = [names.get(id(unit), unit.key) for unit in a.units]
    right = [names.get(id(unit), unit.key) for unit in b.units]
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    result.order = matcher.ratio()
    a_rest, b_rest = {id(unit) for unit in result.a_rest}, {id(unit) for unit in result.b_rest}
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        if tag == "replace":
            mine = [unit for unit in a.units[a1:a2] if id(unit) in a_rest]
            theirs = [unit for unit in b.units[b1:b2] if id(unit) in b_rest]
            if mine and theirs:
                result.slots.append(Slot(mine, theirs, a2 / len(a.units), b2 / len(b.units)))
