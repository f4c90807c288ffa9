"""The named numbers a pair is judged by; each can be said in a sentence.

Directional features look at B as the later statement.
"""

from __future__ import annotations

import re

from .attributes import ADDITIVE, MULTIPLE, ROLES, SINGLE
from .evidence import Evidence, Side
from .lexicon import word_set
from .units import Unit

_ALWAYS = 1.0


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _weight(unit: Unit) -> float:
    return 1.5 if unit.kind in ("name", "code", "quantity", "date", "clock") else 1.0


def subject_of(side: Side) -> list[Unit]:
    """The content units before the first verb-like word; the first two if there is none."""
    units = side.reading.units
    for index, unit in enumerate(units):
        if index and unit.kind == "word" and _verb_like(unit):
            return [one for one in units[:index] if one.content] or [one for one in units if one.content][:1]
    return [unit for unit in units if unit.content][:2]


_AUXILIARIES = word_set(
    "is are was were be been has have had does do did can could will would shall should may might must got gets "
    "ist sind war hat haben kann wird wurde muss est sont a ont peut doit es son esta estan fue tiene puede"
)


def _verb_like(unit: Unit) -> bool:
    folded = unit.folded
    if folded in _AUXILIARIES or unit.key in SINGLE or unit.key in MULTIPLE:
        return True
    return (
        unit.content
        and not unit.initial
        and len(folded) > 3
        and folded.endswith(("ed", "es"))
        and unit.text[0].islower()
    )


def features(found: Evidence, similarity: float) -> dict[str, float]:
    """All features of a pair, in a fixed order of names."""
    alignment = found.alignment
    a_units, b_units = found.a.reading.content(), found.b.reading.content()
    a_weight, b_weight = sum(map(_weight, a_units)), sum(map(_weight, b_units))
    matched = sum(strength * min(_weight(one), _weight(two)) for one, two, strength in alignment.pairs)
    a_cover, b_cover = _share(matched, a_weight), _share(matched, b_weight)
    conflict = {id(unit) for pair in (*found.values, *found.opposites) for unit in pair}
    a_rest = [unit for unit in alignment.a_rest if id(unit) not in conflict]
    b_rest = [unit for unit in alignment.b_rest if id(unit) not in conflict]
    a_subject, b_subject = subject_of(found.a), subject_of(found.b)
    a_left = {id(unit) for unit in alignment.a_rest}
    b_left = {id(unit) for unit in alignment.b_rest}
    names_a = [unit for unit in alignment.a_rest if unit.kind in ("name", "code")]
    names_b = [unit for unit in alignment.b_rest if unit.kind in ("name", "code")]
    negations_a, negations_b = found.negations(found.a), found.negations(found.b)
    flips = abs(negations_a - negations_b) % 2
    explicit = abs(len(found.a.negators) - len(found.b.negators)) % 2
    flipped = float((flips + len(found.opposites)) % 2)
    slots = len(alignment.slots)
    strong_b = _only(found.b, found.a)
    strong_a = _only(found.a, found.b)
    change_b, change_a = _changes(found.b, found.a), _changes(found.a, found.b)
    weak_b = len({match.group().lower() for match in found.b.weak} - {match.group().lower() for match in found.a.weak})
    weak_a = len({match.group().lower() for match in found.a.weak} - {match.group().lower() for match in found.b.weak})
    keys = {unit.key for unit in a_units} | {unit.key for unit in b_units}
    common = {one.key for one, _, _ in alignment.pairs} | {two.key for _, two, _ in alignment.pairs}
    subject_gap = float(any(id(unit) in a_left for unit in a_subject) and any(id(unit) in b_left for unit in b_subject))
    kinds = {mine.kind for mine, _ in found.values}
    other = min(len(a_rest), len(b_rest))
    stage_a, stage_b = found.a.stage, found.b.stage
    same_words = [unit.key for unit in found.a.reading.units] == [unit.key for unit in found.b.reading.units]
    clean = float(
        not (
            found.values
            or found.opposites
            or flipped
            or (names_a and names_b)
            or found.scopes
            or found.persons
            or strong_b
        )
    )
    matched_b = {id(two) for _, two, _ in alignment.pairs}
    news = [unit for unit in found.b.events if id(unit) not in matched_b]
    events_b = len(news) + found.b.foreign_event
    event_new = bool(news or found.b.foreign_event) and not found.a.events and not found.a.foreign_event
    value = {
        "similarity": similarity,
        "cover_a": a_cover,
        "cover_b": b_cover,
        "cover_gap": a_cover - b_cover,
        "same_order": alignment.order,
        "left_a": min(len(alignment.a_rest), 6) / 3,
        "left_b": min(len(alignment.b_rest), 6) / 3,
        "left_both": min(other, 4) / 2,
        "left_none": float(other == 0),
        "all_matched": float(not alignment.a_rest and not alignment.b_rest),
        "one_slot": float(slots == 1 and len(alignment.a_rest) <= 2 and len(alignment.b_rest) <= 2),
        "more_slots": float(slots >= 2),
        "slot_at_end": float(slots >= 1 and alignment.slots[-1].a_place > 0.95 and alignment.slots[-1].b_place > 0.95),
        "slot_at_start": float(slots >= 1 and alignment.slots[0].a_place < 0.5 and alignment.slots[0].b_place < 0.5),
        "values_differ": float(bool(found.values)),
        "values_differ_many": float(len(found.values) >= 2),
        "number_differs": float("quantity" in kinds),
        "date_differs": float("date" in kinds),
        "clock_differs": float("clock" in kinds),
        "code_differs": float("code" in kinds),
        "value_only": float(bool(found.values) and other == 0),
        "value_and_more": float(bool(found.values) and other > 0),
        "values_agree": min(sum(one.kind in ("quantity", "date", "clock", "rate") for one, _, _ in alignment.pairs), 2)
        / 2,
        "names_differ": float(bool(names_a) and bool(names_b)),
        "name_left_a": float(bool(names_a)),
        "name_left_b": float(bool(names_b)),
        "names_agree": min(sum(one.kind in ("name", "code") for one, _, _ in alignment.pairs), 3) / 3,
        "opposites": float(bool(found.opposites)),
        "negation_differs": float(explicit),
        "negated_shared": float(bool(found.negated) and bool(explicit)),
        "polarity_flips": flipped,
        "flip_only": flipped * float(other == 0),
        "flip_and_more": flipped * min(other, 3) / 2,
        "both_negative": float(negations_a > 0 and negations_b > 0),
        "subject_differs": subject_gap,
        "subject_shared": _share(sum(id(unit) not in a_left for unit in a_subject), len(a_subject)),
        "subject_shared_b": _share(sum(id(unit) not in b_left for unit in b_subject), len(b_subject)),
        "scopes_differ": float(bool(found.scopes)),
        "scope_early": float(any(_early(found.a, one) and _early(found.b, two) for one, two in found.scopes)),
        "persons_differ": float(bool(found.persons)),
        "swapped": float(found.swapped is not None),
        "same_words": float(same_words),
        "role_slot": float(slots == 1 and bool(names_a) and bool(names_b) and bool(common & ROLES)),
        "other_dimension": float(_other_dimension(a_rest, b_rest)),
        "stage_up": float(stage_a is not None and stage_b is not None and stage_b > stage_a),
        "stage_down": float(stage_a is not None and stage_b is not None and stage_b < stage_a),
        "similar_clean": similarity * clean,
        "cover_clean": min(a_cover, b_cover) * clean,
        "cue_elsewhere": float(strong_b + change_b > 0) * float(bool(found.scopes) or subject_gap > 0),
        "event_b": float(events_b > 0 and not found.a.events),
        "event_b_more": min(events_b, 3) / 2 * a_cover,
        "event_a": float(bool(found.a.events) and events_b == 0),
        "event_new": float(event_new),
        "event_end": float(event_new and not found.values and not names_b),
        "becoming_b": float(_only_words(found.b.becoming, found.a.becoming) > 0),
        "cue_b": float(strong_b > 0),
        "cue_b_covered": float(strong_b > 0) * a_cover,
        "cue_a": float(strong_a > 0),
        "change_b": min(change_b, 3) / 2,
        "change_b_covered": float(change_b > 0) * a_cover,
        "change_a": min(change_a, 3) / 2,
        "weak_b": min(weak_b, 3) / 2,
        "weak_a": min(weak_a, 3) / 2,
        "past_b": float(found.b.past and not found.a.past),
        "past_a": float(found.a.past and not found.b.past),
        "past_both": float(found.a.past and found.b.past),
        "former_a": float(found.a.former),
        "single_valued": float(bool(common & SINGLE)),
        "multi_valued": float(bool(common & MULTIPLE)),
        "single_any": float(bool(keys & SINGLE)),
        "additive": float(any(unit.folded in ADDITIVE for unit in found.b.reading.units)),
        "longer_b": max(-1.0, min(1.0, (len(b_units) - len(a_units)) / 5)),
        "longer": min(1.0, abs(len(b_units) - len(a_units)) / 5),
    }
    return value


def _only(side: Side, other: Side) -> int:
    theirs = {match.group().lower() for match in other.strong}
    return sum(match.group().lower() not in theirs for match in side.strong)


def _only_words(mine: list[re.Match[str]], theirs: list[re.Match[str]]) -> int:
    return len({match.group().lower() for match in mine} - {match.group().lower() for match in theirs})


def _early(side: Side, unit: Unit) -> bool:
    return unit.start < 0.5 * len(side.reading.text)


def _other_dimension(a_rest: list[Unit], b_rest: list[Unit]) -> bool:
    """Left-over measures of different dimensions: length here, weight there."""
    mine = {unit.value.dimension for unit in a_rest if unit.kind == "quantity"}
    theirs = {unit.value.dimension for unit in b_rest if unit.kind == "quantity"}
    return bool(mine and theirs and mine.isdisjoint(theirs))


def _changes(side: Side, other: Side) -> int:
    theirs = {unit.key for unit in other.reading.units}
    return sum(unit.key not in theirs for unit in side.changes)
