"""The evidence of a pair in short sentences, each with the characters it is about."""

from __future__ import annotations

from collections.abc import Iterable

from .evidence import Evidence
from .features import subject_of
from .statement import Label, Reason, Span
from .units import Unit

MAX_QUOTE = 40


def _quote(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= MAX_QUOTE else flat[: MAX_QUOTE - 1] + "…"


def _around(units: Iterable[Unit]) -> Span | None:
    spans = [unit.span for unit in units]
    return (min(start for start, _ in spans), max(end for _, end in spans)) if spans else None


def _said(text: str, span: Span) -> str:
    return _quote(text[slice(*span)])


def explain(found: Evidence, label: Label, similarity: float, measured: bool) -> list[Reason]:
    """Reasons in the order of their weight for an operator: what differs first, likeness last."""
    reasons = [*_differences(found), *_negations(found), *_wordings(found)]
    if label == Label.DUPLICATE or not reasons:
        reasons.extend(_agreement(found))
    if label == Label.UNRELATED:
        reasons.extend(_subjects(found))
    if measured:
        reasons.append(Reason("similarity", f"similarity {similarity:.2f}"))
    return reasons


def _differences(found: Evidence) -> list[Reason]:
    reasons = []
    for one, two in found.values:
        reasons.append(Reason("value", f"different value: {_quote(one.text)} / {_quote(two.text)}", one.span, two.span))
    for one, two in found.opposites:
        reasons.append(Reason("opposite", f"opposites: {_quote(one.text)} / {_quote(two.text)}", one.span, two.span))
    if found.swapped:
        one, two = found.swapped
        reasons.append(Reason("swapped", f"{_quote(one.text)} and others changed places", one.span, two.span))
    said = {id(unit) for pair in (*found.values, *found.opposites) for unit in pair}
    for slot in found.alignment.slots:
        mine = [unit for unit in slot.a if id(unit) not in said]
        theirs = [unit for unit in slot.b if id(unit) not in said]
        a_span, b_span = _around(mine), _around(theirs)
        if a_span and b_span:
            a_said, b_said = _said(found.a.reading.text, a_span), _said(found.b.reading.text, b_span)
            reasons.append(Reason("slot", f"“{a_said}” in A, “{b_said}” in B", a_span, b_span))
    return reasons


def _negations(found: Evidence) -> list[Reason]:
    if len(found.a.negators) % 2 == len(found.b.negators) % 2:
        return []
    side, name = (found.b, "B") if len(found.b.negators) > len(found.a.negators) else (found.a, "A")
    unit = side.negators[0]
    words = f"negation in {name}: “{_quote(unit.text)}”"
    return [Reason("negation", words, *((None, unit.span) if name == "B" else (unit.span, None)))]


def _wordings(found: Evidence) -> list[Reason]:
    theirs = {match.group().lower() for match in found.a.strong}
    reasons = [
        Reason("wording", f"wording in B: “{_quote(match.group())}”", None, match.span())
        for match in found.b.strong
        if match.group().lower() not in theirs
    ]
    stage_a, stage_b = found.a.stage, found.b.stage
    if stage_a is not None and stage_b is not None and stage_b > stage_a:
        reasons.append(Reason("stage", "B tells of a later stage"))
    if not reasons and not found.a.events and found.b.events:
        unit = found.b.events[0]
        reasons.append(Reason("event", f"B tells of an event: “{_quote(unit.text)}”", None, unit.span))
    return reasons


def _agreement(found: Evidence) -> list[Reason]:
    shared, left = len(found.alignment.pairs), len(found.alignment.a_rest) + len(found.alignment.b_rest)
    if not shared:
        return [Reason("words", "no words in common")]
    total = 2 * shared + left
    reasons = [Reason("words", f"{round(200 * shared / total)} % of the words agree")]
    for one, two, _ in found.alignment.pairs:
        if one.kind in ("quantity", "date", "clock", "rate") and one.text.casefold() != two.text.casefold():
            reasons.append(Reason("equal", f"equal: {_quote(one.text)} = {_quote(two.text)}", one.span, two.span))
    return reasons


def _subjects(found: Evidence) -> list[Reason]:
    a_left = {id(unit) for unit in found.alignment.a_rest}
    b_left = {id(unit) for unit in found.alignment.b_rest}
    mine = [unit for unit in subject_of(found.a) if id(unit) in a_left]
    theirs = [unit for unit in subject_of(found.b) if id(unit) in b_left]
    if not mine or not theirs:
        return []
    words = f"different subject: {_quote(mine[0].text)} / {_quote(theirs[0].text)}"
    return [Reason("subject", words, mine[0].span, theirs[0].span)]
