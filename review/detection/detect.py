"""The detector's one entry."""

from __future__ import annotations

from datetime import UTC

import numpy as np

from metronix.ports.embedder import get_embedder

from .chatter import chatter_features, substance
from .evidence import Evidence, gather
from .explain import Explainer
from .features import features
from .model import Model, load
from .statement import Finding, Label, Statement
from .units import read

#: What shared words alone say of the similarity when a vector is missing.
_LEXICAL = 0.85


def detect(a: Statement, b: Statement) -> Finding:
    """Compare two statements; swapping them swaps spans and direction and changes nothing else.

    Never raises for any text. A long text is read up to ``units.MAX_CHARACTERS`` and ``units.MAX_UNITS``.
    """
    model = load()
    order = _order(a, b)
    if order:
        return _judge(model, a, b, flipped=order > 0)
    # Stored at the same moment (or at an unknown one): the order that reads as a replacement counts.
    forth, back = _judge(model, a, b, flipped=False), _judge(model, a, b, flipped=True)
    mine, theirs = forth.scores[Label.REPLACEMENT], back.scores[Label.REPLACEMENT]
    return back if (theirs, a.text) > (mine, b.text) else forth


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


def _judge(model: Model, a: Statement, b: Statement, *, flipped: bool) -> Finding:
    found, values = compare(b, a) if flipped else compare(a, b)
    scores = model.probabilities(values)
    label = model.choose(scores)
    relatedness = model.relatedness(values | chatter_features(found)) if label != Label.UNRELATED else 0.0
    alarm = label if model.raises(label, relatedness, substance(found)) else Label.UNRELATED
    measured = a.vector is not None and b.vector is not None
    reasons = Explainer(found, flipped=flipped).reasons(label, values["similarity"] if measured else None)
    direction = ("a" if flipped else "b") if label == Label.REPLACEMENT else None
    return Finding(label, scores[label], direction, reasons, scores, alarm, relatedness)


def _order(a: Statement, b: Statement) -> int:
    """-1 when ``a`` is the earlier one, 1 when ``b`` is, 0 when the times do not tell."""
    if a.time is None or b.time is None:
        return 0
    first, second = (time.replace(tzinfo=UTC) if time.tzinfo is None else time for time in (a.time, b.time))
    return (first > second) - (first < second)
