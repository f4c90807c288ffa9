"""What goes into the detector and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from numpy.typing import NDArray

Span = tuple[int, int]


class Label(StrEnum):
    """The four relations of two statements; the names are those of the review reasons."""

    DUPLICATE = "duplicate"
    CONTRADICTION = "contradiction"
    REPLACEMENT = "replacement"
    UNRELATED = "unrelated"


@dataclass(frozen=True, eq=False)
class Statement:
    """A short memory text, when it was stored, and its passage vector (unit length).

    ``time`` resolves "tomorrow" and tells which statement is the later one. Without a
    vector the similarity is estimated from shared words.
    """

    text: str
    time: datetime | None = None
    vector: NDArray[Any] | None = None


@dataclass(frozen=True)
class Reason:
    """One short sentence for the operator, and the characters in either text it is about."""

    code: str
    words: str
    a_span: Span | None = None
    b_span: Span | None = None


@dataclass(frozen=True)
class Finding:
    """The verdict on a pair.

    ``confidence`` is the probability of ``label``, 0..1; ``scores`` has all four.
    ``direction`` is set for a replacement: the side ("a" or "b") that takes the other's
    place. ``alarm`` is the verdict at the cautious operating point: what a queue that sees
    mostly harmless neighbours should raise, ``UNRELATED`` for nothing; ``relatedness``,
    0..1, is what it was decided by.
    """

    label: Label
    confidence: float
    direction: str | None
    reasons: list[Reason]
    scores: dict[str, float] = field(default_factory=dict)
    alarm: Label = Label.UNRELATED
    relatedness: float = 0.0
