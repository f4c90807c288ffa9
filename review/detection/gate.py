"""The second regression: is a pair of neighbours related at all? It decides what is worth an operator's time.

Fitted on the labelled pairs and on talk, where nearly everything is similar and nothing is a duplicate.
"""

from __future__ import annotations

import numpy as np

from .fitting import Matrix, fit, softmax
from .model import LABELS
from .validation import Labels, decide, folds, join, out_of_fold

STRENGTH = 0.1
#: Least gate probability by label. Chosen so that some 4 entries per thousand turns of everyday talk are raised
#: among the ten nearest neighbours of each (docs/decisions/0010-pair-detection.md).
ALARM = {"duplicate": 0.76, "contradiction": 0.30, "replacement": 0.78}
_UNRELATED = len(LABELS) - 1


def fit_gate(rows: Matrix, labels: Labels, talk: Matrix) -> tuple[Matrix, float]:
    """Weights and intercept of the log-odds of "related"; every row of ``talk`` is unrelated."""
    both = np.vstack([rows, talk])
    unrelated = np.concatenate([labels == _UNRELATED, np.ones(len(talk), dtype=bool)]).astype(np.int64)
    weights, base = fit(both, unrelated, np.ones(len(both)), STRENGTH, classes=2)
    return weights[:, 0] - weights[:, 1], float(base[0] - base[1])


def raised_out_of_fold(
    rows: Matrix,
    plain: list[int],
    labels: Labels,
    extra: tuple[Matrix, Labels],
    talk: Matrix,
    strength: float,
    caution: float,
) -> Matrix:
    """Share of the pairs of each label that are raised by a model and a gate that did not see them."""
    own = (extra[0][:, plain], extra[1])
    answers = decide(out_of_fold(rows[:, plain], labels, strength, own, count=10, seed=7), caution)
    related = np.zeros(len(rows))
    for inside, outside in folds(labels, 10, 7):
        x, y = join((rows[inside], labels[inside]), extra)
        weights, base = fit_gate(x, y, talk)
        logits = rows[outside] @ weights + base
        related[outside] = softmax(np.stack([logits, np.zeros_like(logits)], axis=1))[:, 0]
    least = np.array([*ALARM.values(), 2.0])
    raised = related >= least[answers]
    return np.array([raised[labels == k].mean() if np.any(labels == k) else 0.0 for k in range(len(LABELS))])
