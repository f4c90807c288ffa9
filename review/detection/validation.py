"""Scores of a labelling, and the choice of what is not fitted: penalty and caution, by cross-validation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .fitting import Matrix, fit, softmax
from .model import LABELS
from .statement import Label

Labels = NDArray[np.int64]
STRENGTHS = (0.01, 0.03, 0.1, 0.3)
CAUTIONS = (1.0, 0.85, 0.7, 0.55)
#: A contradiction accuses two people of disagreeing: its precision must not fall below this.
LEAST_PRECISION = 0.80
_CONTRADICTION = LABELS.index(Label.CONTRADICTION)


@dataclass(frozen=True)
class Choice:
    """What cross-validation settled on."""

    strength: float
    caution: float


@dataclass(frozen=True)
class Scores:
    """Precision, recall and F1 by label, in the order of ``LABELS``."""

    precision: Matrix
    recall: Matrix
    f1: Matrix

    @property
    def macro(self) -> float:
        """The plain mean of the F1 of the labels."""
        return float(self.f1.mean())


def score(truth: Labels, answers: Labels) -> Scores:
    """Compare answers with the truth."""
    count = len(LABELS)
    hits = np.array([np.sum((truth == k) & (answers == k)) for k in range(count)], dtype=np.float64)
    said = np.maximum(1, [np.sum(answers == k) for k in range(count)])
    meant = np.maximum(1, [np.sum(truth == k) for k in range(count)])
    return Scores(hits / said, hits / meant, 2 * hits / np.maximum(1, said + meant))


def folds(labels: Labels, count: int, seed: int) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Stratified folds: indices to fit on and to answer for."""
    random = np.random.default_rng(seed)
    fold = np.empty(len(labels), dtype=np.int64)
    for label in np.unique(labels):
        members = np.flatnonzero(labels == label)
        random.shuffle(members)
        fold[members] = (np.arange(len(members)) + random.integers(count)) % count
    for number in range(count):
        yield np.flatnonzero(fold != number), np.flatnonzero(fold == number)


def decide(probabilities: Matrix, caution: float) -> Labels:
    """The label of each row, contradictions held back by ``caution``."""
    weighed = probabilities.copy()
    weighed[:, _CONTRADICTION] *= caution
    return np.asarray(weighed.argmax(axis=1), dtype=np.int64)


def choose(rows: Matrix, labels: Labels, extra: tuple[Matrix, Labels] | None = None, seed: int = 0) -> Choice:
    """The penalty and caution with the best macro-F1, less what contradiction lacks in precision.

    ``extra`` rows help to fit in every fold and are never answered for.
    """
    best, found = -1.0, Choice(STRENGTHS[0], 1.0)
    for strength in STRENGTHS:
        probabilities = out_of_fold(rows, labels, strength, extra, count=5, seed=seed)
        for caution in CAUTIONS:
            reached = score(labels, decide(probabilities, caution))
            value = reached.macro - max(0.0, LEAST_PRECISION - float(reached.precision[_CONTRADICTION]))
            if value > best + 1e-9:
                best, found = value, Choice(strength, caution)
    return found


def out_of_fold(
    rows: Matrix, labels: Labels, strength: float, extra: tuple[Matrix, Labels] | None, *, count: int, seed: int
) -> Matrix:
    """Probabilities of each row by a model that did not see it."""
    probabilities = np.zeros((len(rows), len(LABELS)))
    for inside, outside in folds(labels, count, seed):
        x, y = join((rows[inside], labels[inside]), extra)
        weights, intercept = fit(x, y, np.ones(len(x)), strength)
        probabilities[outside] = softmax(rows[outside] @ weights + intercept)
    return probabilities


def join(own: tuple[Matrix, Labels], extra: tuple[Matrix, Labels] | None) -> tuple[Matrix, Labels]:
    """Rows and labels with the extra ones after them."""
    if extra is None:
        return own
    return np.vstack([own[0], extra[0]]), np.concatenate([own[1], extra[1]])


def nested(
    rows: Matrix, labels: Labels, extra: tuple[Matrix, Labels] | None, repeats: int, count: int = 10
) -> list[Labels]:
    """Answers of nested cross-validation, once per repeat: the choice is made inside each outer fold."""
    answers = []
    for repeat in range(repeats):
        found = np.zeros(len(rows), dtype=np.int64)
        for number, (inside, outside) in enumerate(folds(labels, count, 1000 + repeat)):
            choice = choose(rows[inside], labels[inside], extra, seed=100 * repeat + number)
            x, y = join((rows[inside], labels[inside]), extra)
            weights, intercept = fit(x, y, np.ones(len(x)), choice.strength)
            found[outside] = decide(softmax(rows[outside] @ weights + intercept), choice.caution)
        answers.append(found)
    return answers
