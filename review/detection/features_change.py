"""Features of change: what tells that the later statement (B) takes the place of the earlier one (A)."""

from __future__ import annotations

import re

from .evidence import Side
from .overview import Overview


def only_in(mine: list[re.Match[str]], theirs: list[re.Match[str]]) -> int:
    """Wordings of one text that the other lacks."""
    return len({match.group().lower() for match in mine} - {match.group().lower() for match in theirs})


def change(view: Overview) -> dict[str, float]:
    """Cue phrases, verbs of change, events, stages; each counts only where the other text lacks it."""
    a, b = view.found.a, view.found.b
    cue, changes = only_in(b.strong, a.strong) > 0, _changes(b, a)
    elsewhere = bool(view.found.scopes) or view.subjects.differ
    return {
        "cue_b": float(cue),
        "cue_b_covered": float(cue) * view.a_cover,
        "cue_a": float(only_in(a.strong, b.strong) > 0),
        "cue_elsewhere": float(cue or changes > 0) * float(elsewhere),
        "change_b": min(changes, 3) / 2,
        "change_b_covered": float(changes > 0) * view.a_cover,
        "change_a": min(_changes(a, b), 3) / 2,
        "weak_b": min(only_in(b.weak, a.weak), 3) / 2,
        "weak_a": min(only_in(a.weak, b.weak), 3) / 2,
        "becoming_b": float(only_in(b.becoming, a.becoming) > 0),
        "former_a": float(a.former),
    } | _events(view)


def _events(view: Overview) -> dict[str, float]:
    a, b = view.found.a, view.found.b
    matched = {id(two) for _, two, _ in view.alignment.pairs}
    fresh = sum(id(unit) not in matched for unit in b.events) + b.foreign_event
    news = fresh > 0 and not a.events and not a.foreign_event
    staged = a.stage is not None and b.stage is not None
    return {
        "event_b": float(fresh > 0 and not a.events),
        "event_b_more": min(fresh, 3) / 2 * view.a_cover,
        "event_a": float(bool(a.events) and fresh == 0),
        "event_new": float(news),
        "event_end": float(news and not view.found.values and not view.names_b),
        "past_b": float(b.past and not a.past),
        "past_a": float(a.past and not b.past),
        "past_both": float(a.past and b.past),
        "stage_up": float(staged and (b.stage or 0) > (a.stage or 0)),
        "stage_down": float(staged and (b.stage or 0) < (a.stage or 0)),
    }


def _changes(side: Side, other: Side) -> int:
    theirs = {unit.key for unit in other.reading.units}
    return sum(unit.key not in theirs for unit in side.changes)
