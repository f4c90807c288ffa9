"""The fitted weights and the two decisions made with them: the likeliest label, and what is worth an entry."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import exp
from pathlib import Path

from .statement import Label

LABELS = tuple(Label)
FILE = Path(__file__).with_name("coefficients.json")


#: Texts that say less than this are never raised: "Bye!" and "See you!" are no facts that could collide.
LEAST_SUBSTANCE = 2


@dataclass(frozen=True)
class Model:
    """Weights by label and feature, and what the two decisions need.

    ``caution`` multiplies the probability of a contradiction before labels are compared: below 1 it
    trades recall for precision. ``gate`` is a second, two-sided regression (related or not) that also
    sees signs of conversation; ``alarm`` holds the least gate probability at which a label is raised.
    """

    intercept: dict[str, float]
    weights: dict[str, dict[str, float]]
    caution: float
    gate_intercept: float
    gate: dict[str, float]
    alarm: dict[str, float]

    def probabilities(self, features: Mapping[str, float]) -> dict[str, float]:
        """The probability of each label; they sum to 1."""
        logits = {label: base + _dot(self.weights[label], features) for label, base in self.intercept.items()}
        top = max(logits.values())
        raised = {label: exp(value - top) for label, value in logits.items()}
        total = sum(raised.values())
        return {label: value / total for label, value in raised.items()}

    def choose(self, scores: Mapping[str, float]) -> Label:
        """The label answered when each pair must get one."""
        return max(LABELS, key=lambda label: scores[label] * (self.caution if label == Label.CONTRADICTION else 1.0))

    def relatedness(self, features: Mapping[str, float]) -> float:
        """Probability that a pair is anything but unrelated, among neighbours of an ordinary store."""
        return 1.0 / (1.0 + exp(-max(-60.0, min(60.0, self.gate_intercept + _dot(self.gate, features)))))

    def raises(self, label: Label, relatedness: float, substance: int) -> bool:
        """Whether the finding is sure enough for a queue that sees mostly unrelated neighbours."""
        return label != Label.UNRELATED and substance >= LEAST_SUBSTANCE and relatedness >= self.alarm[label]


def _dot(weights: Mapping[str, float], features: Mapping[str, float]) -> float:
    return sum(weight * features[name] for name, weight in weights.items())


@lru_cache(maxsize=1)
def load() -> Model:
    """The model that ships with the platform (made by ``review.detection.train``)."""
    return Model(**json.loads(FILE.read_text("utf-8")))
