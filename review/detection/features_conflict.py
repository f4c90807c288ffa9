"""Features of conflict: values, names, polarity and subjects that differ."""

from __future__ import annotations

from .attributes import ADDITIVE, MULTIPLE, ROLES, SINGLE
from .evidence import Side
from .overview import Overview, share
from .units import Unit


def conflict(view: Overview) -> dict[str, float]:
    """What differs, of which kind it is, and whether it is all that differs."""
    return _values(view) | _polarity(view) | _subject(view) | _attribute(view)


def _values(view: Overview) -> dict[str, float]:
    values, other = view.found.values, view.other
    kinds = {mine.kind for mine, _ in values}
    return {
        "values_differ": float(bool(values)),
        "values_differ_many": float(len(values) >= 2),
        "number_differs": float("quantity" in kinds),
        "date_differs": float("date" in kinds),
        "clock_differs": float("clock" in kinds),
        "code_differs": float("code" in kinds),
        "value_only": float(bool(values) and other == 0),
        "value_and_more": float(bool(values) and other > 0),
        "other_dimension": float(_other_dimension(view.a_rest, view.b_rest)),
        "names_differ": float(bool(view.names_a) and bool(view.names_b)),
        "name_left_a": float(bool(view.names_a)),
        "name_left_b": float(bool(view.names_b)),
        "swapped": float(view.found.swapped is not None),
    }


def _polarity(view: Overview) -> dict[str, float]:
    found, flipped = view.found, view.flipped
    explicit = abs(len(found.a.negators) - len(found.b.negators)) % 2
    return {
        "opposites": float(bool(found.opposites)),
        "negation_differs": float(explicit),
        "negated_shared": float(bool(found.negated) and bool(explicit)),
        "polarity_flips": flipped,
        "flip_only": flipped * float(view.other == 0),
        "flip_and_more": flipped * min(view.other, 3) / 2,
        "both_negative": float(view.negations_a > 0 and view.negations_b > 0),
    }


def _subject(view: Overview) -> dict[str, float]:
    found, subjects = view.found, view.subjects
    return {
        "subject_differs": float(subjects.differ),
        "subject_shared": share(len(subjects.a) - len(subjects.a_alone), len(subjects.a)),
        "subject_shared_b": share(len(subjects.b) - len(subjects.b_alone), len(subjects.b)),
        "scopes_differ": float(bool(found.scopes)),
        "scope_early": float(any(_early(found.a, one) and _early(found.b, two) for one, two in found.scopes)),
        "persons_differ": float(bool(found.persons)),
    }


def _attribute(view: Overview) -> dict[str, float]:
    keys = {unit.key for unit in (*view.a_units, *view.b_units)}
    two_names = bool(view.names_a) and bool(view.names_b)
    return {
        "role_slot": float(len(view.alignment.slots) == 1 and two_names and bool(view.common & ROLES)),
        "single_valued": float(bool(view.common & SINGLE)),
        "multi_valued": float(bool(view.common & MULTIPLE)),
        "single_any": float(bool(keys & SINGLE)),
        "additive": float(any(unit.folded in ADDITIVE for unit in view.found.b.reading.units)),
    }


def _early(side: Side, unit: Unit) -> bool:
    return unit.start < 0.5 * len(side.reading.text)


def _other_dimension(a_rest: list[Unit], b_rest: list[Unit]) -> bool:
    """Left-over measures of different dimensions: length here, weight there."""
    mine = {unit.value.dimension for unit in a_rest if unit.kind == "quantity"}
    theirs = {unit.value.dimension for unit in b_rest if unit.kind == "quantity"}
    return bool(mine and theirs and mine.isdisjoint(theirs))
