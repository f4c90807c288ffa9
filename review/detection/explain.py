"""The evidence of a pair in short sentences, each with the characters it is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .evidence import Evidence, Side
from .statement import Label, Reason, Span
from .subjects import subject_of
from .units import Unit

MAX_QUOTE = 40


def _quote(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= MAX_QUOTE else flat[: MAX_QUOTE - 1] + "…"


def _around(units: Iterable[Unit]) -> Span | None:
    spans = [unit.span for unit in units]
    return (min(start for start, _ in spans), max(end for _, end in spans)) if spans else None


class Explainer:
    """Writes the reasons; ``flipped`` when the caller's A is the later statement."""

    def __init__(self, found: Evidence, *, flipped: bool = False) -> None:
        self.found, self.flipped = found, flipped
        self.a, self.b = found.a, found.b

    def reasons(self, label: Label, similarity: float | None) -> list[Reason]:
        """What differs first, then the wording, likeness last: the order an operator needs."""
        written = [*self._values(), *self._slots(), *self._negation(), *self._wording()]
        if label == Label.DUPLICATE or not written:
            written.extend(self._agreement())
        if label == Label.UNRELATED:
            written.extend(self._subject())
        if similarity is not None:
            written.append(Reason("similarity", f"similarity {similarity:.2f}"))
        return written

    def _both(self, code: str, words: str, a_span: Span, b_span: Span) -> Reason:
        """A reason about a place in either text; ``words`` has {0} and {1} for the quotes."""
        quotes = [_quote(self.a.reading.text[slice(*a_span)]), _quote(self.b.reading.text[slice(*b_span)])]
        if self.flipped:
            return Reason(code, words.format(*reversed(quotes)), b_span, a_span)
        return Reason(code, words.format(*quotes), a_span, b_span)

    def _one(self, code: str, words: str, side: Side, span: Span) -> Reason:
        """A reason about one text; ``words`` has {0} for its name and {1} for the quote."""
        quote = _quote(side.reading.text[slice(*span)])
        first = (side is self.a) != self.flipped
        return Reason(
            code, words.format("A" if first else "B", quote), span if first else None, None if first else span
        )

    def _values(self) -> Iterator[Reason]:
        for one, two in self.found.values:
            yield self._both("value", "different value: {0} / {1}", one.span, two.span)
        for one, two in self.found.opposites:
            yield self._both("opposite", "opposites: {0} / {1}", one.span, two.span)
        if self.found.swapped:
            one, two = self.found.swapped
            yield self._both("swapped", "the names changed places: {0} / {1}", one.span, two.span)

    def _slots(self) -> Iterator[Reason]:
        said = {id(unit) for pair in (*self.found.values, *self.found.opposites) for unit in pair}
        for slot in self.found.alignment.slots:
            a_span = _around(unit for unit in slot.a if id(unit) not in said)
            b_span = _around(unit for unit in slot.b if id(unit) not in said)
            if a_span and b_span:
                yield self._both("slot", "in the same place: {0} / {1}", a_span, b_span)

    def _negation(self) -> Iterator[Reason]:
        if len(self.a.negators) % 2 != len(self.b.negators) % 2:
            side = self.b if len(self.b.negators) > len(self.a.negators) else self.a
            yield self._one("negation", "negation in {0}: {1}", side, side.negators[0].span)

    def _wording(self) -> Iterator[Reason]:
        theirs = {match.group().lower() for match in self.a.strong}
        cues = [match for match in self.b.strong if match.group().lower() not in theirs]
        for match in cues:
            yield self._one("wording", "wording in {0}: {1}", self.b, match.span())
        if self.a.stage is not None and self.b.stage is not None and self.b.stage > self.a.stage:
            stages = [unit for unit in self.b.reading.units if unit.key in self.b.stage_words]
            yield self._one("stage", "{0} tells of a later stage: {1}", self.b, stages[-1].span)
        if not cues and self.b.events and not self.a.events:
            yield self._one("event", "{0} tells of an event: {1}", self.b, self.b.events[0].span)

    def _agreement(self) -> Iterator[Reason]:
        alignment = self.found.alignment
        shared = 2 * len(alignment.pairs)
        total = shared + len(alignment.a_rest) + len(alignment.b_rest)
        yield Reason("words", f"{round(100 * shared / total) if total else 100} % of the words agree")
        for one, two, _ in alignment.pairs:
            if one.kind in ("quantity", "date", "clock", "rate") and one.text.casefold() != two.text.casefold():
                yield self._both("equal", "equal values: {0} = {1}", one.span, two.span)

    def _subject(self) -> Iterator[Reason]:
        a_left = {id(unit) for unit in self.found.alignment.a_rest}
        b_left = {id(unit) for unit in self.found.alignment.b_rest}
        mine = [unit for unit in subject_of(self.a) if id(unit) in a_left]
        theirs = [unit for unit in subject_of(self.b) if id(unit) in b_left]
        if mine and theirs:
            yield self._both("subject", "different subject: {0} / {1}", mine[0].span, theirs[0].span)
