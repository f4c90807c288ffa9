"""The detector's one entry."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np

from metronix.ports.embedder import get_embedder

from .evidence import Evidence, gather
from .explain import explain
from .features import features
from .model import Model, load
from .statement import Finding, Label, Reason, Statement
from .units import read

#: What shared words alone say of the similarity when a vector is missing.
_LEXICAL = 0.85


def detect(a: Statement, b: Statement) -> Finding:
    """Compare two statements; swapping them swaps spans and direction and changes nothing else.

    Never raises for any text. Only the first 2,000 characters and 120 words of each are read.
    """
    model = load()
    if _later(a, b):
        return _swap(_judge(model, b, a))
    ordinary = _judge(model, a, b)
    if _later(b, a):
        return ordinary
    # Stored at the same moment (or at an unknown one): the order that reads as a replacement counts.
    other = _judge(model, b, a)
    mine, theirs = ordinary.scores[Label.REPLACEMENT], other.scores[Label.REPLACEMENT]
    if theirs > mine or (theirs == mine and b.text < a.text):
        return _swap(other)
    return ordinary


def similarity_of(a: Statement, b: Statement) -> float | None:
    """Calibrated similarity 0..1 of the two vectors; ``None`` unless both are there."""
    if a.vector is None or b.vector is None:
        return None
    return similarity_from(float(np.dot(a.vector, b.vector)))


def similarity_from(cosine: float) -> float:
    """The platform's similarity of two passages for a cosine."""
    return float(get_embedder().calibration.passage_similarity(cosine))


def compare(a: Statement, b: Statement) -> tuple[Evidence, dict[str, float]]:
    """Evidence and features of a pair, ``b`` being the later one."""
    found = gather(read(a.text, a.time), read(b.text, b.time))
    similarity = similarity_of(a, b)
    if similarity is None:
        shared = 2 * len(found.alignment.pairs)
        similarity = _LEXICAL * shared / max(1, shared + len(found.alignment.a_rest) + len(found.alignment.b_rest))
    return found, features(found, similarity)


def _judge(model: Model, a: Statement, b: Statement) -> Finding:
    found, values = compare(a, b)
    scores = model.probabilities(values)
    label = model.choose(scores)
    alarm = label if model.raises(label, values, scores) else Label.UNRELATED
    measured = a.vector is not None and b.vector is not None
    reasons = explain(found, label, values["similarity"], measured)
    direction = "b" if label == Label.REPLACEMENT else None
    return Finding(label, scores[label], direction, reasons, scores, alarm)


def _instant(statement: Statement) -> datetime | None:
    time = statement.time
    return time.replace(tzinfo=UTC) if time is not None and time.tzinfo is None else time


def _later(one: Statement, two: Statement) -> bool:
    first, second = _instant(one), _instant(two)
    return first is not None and second is not None and first > second


def _swap(finding: Finding) -> Finding:
    names = str.maketrans("AB", "BA")
    reasons = [Reason(reason.code, reason.words, reason.b_span, reason.a_span) for reason in finding.reasons]
    direction = {"a": "b", "b": "a"}.get(finding.direction or "")
    del names
    return Finding(finding.label, finding.confidence, direction, reasons, finding.scores, finding.alarm)
