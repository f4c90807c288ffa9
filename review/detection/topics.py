"""Cross-validation by topic: statements about like things are kept in one fold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .fitting import Matrix, fit, softmax
from .validation import Labels, choose, decide, join

_STEPS = 30


def clusters(vectors: NDArray[np.float32], count: int, seed: int = 0) -> NDArray[np.int64]:
    """Spherical k-means (Dhillon and Modha, 2001): the cluster of each unit vector."""
    random = np.random.default_rng(seed)
    centres = vectors[random.choice(len(vectors), size=min(count, len(vectors)), replace=False)]
    member = np.zeros(len(vectors), dtype=np.int64)
    for _ in range(_STEPS):
        member = (vectors @ centres.T).argmax(axis=1)
        for index in range(len(centres)):
            if np.any(member == index):
                centre = vectors[member == index].sum(axis=0)
                centres[index] = centre / max(1e-9, float(np.linalg.norm(centre)))
    return member


def by_topic(
    rows: Matrix, labels: Labels, vectors: NDArray[np.float32], extra: tuple[Matrix, Labels], count: int = 15
) -> Labels:
    """Answers for each cluster by a model that saw none of its pairs."""
    member = clusters(vectors, count)
    answers = np.zeros(len(rows), dtype=np.int64)
    for cluster in np.unique(member):
        inside, outside = np.flatnonzero(member != cluster), np.flatnonzero(member == cluster)
        choice = choose(rows[inside], labels[inside], extra)
        x, y = join((rows[inside], labels[inside]), extra)
        weights, intercept = fit(x, y, np.ones(len(x)), choice.strength)
        answers[outside] = decide(softmax(rows[outside] @ weights + intercept), choice.caution)
    return answers
