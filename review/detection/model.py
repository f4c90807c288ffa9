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


@dataclass(frozen=True)
class Model:
    """Weights by label and feature, and the thresholds of the two decisions.

    ``caution`` multiplies the probability of a contradiction before labels are compared: below 1 it
    trades recall for precision. ``alarm`` holds the least probability at which each label is raised.
    """

    intercept: dict[str, float]
    weights: dict[str, dict[str, float]]
    caution: float
    alarm: dict[str, float]

    def probabilities(self, features: Mapping[str, float]) -> dict[str, float]:
        """The probability of each label; they sum to 1."""
        logits = {
            label: self.intercept[label] + sum(weight * features[name] for name, weight in self.weights[label].items())
            for label in self.intercept
        }
        top = max(logits.values())
        raised = {label: exp(value - top) for label, value in logits.items()}
        total = sum(raised.values())
        return {label: value / total for label, value in raised.items()}

    def choose(self, scores: Mapping[str, float]) -> Label:
        """The label answered when each pair must get one."""
        return max(LABELS, key=lambda label: scores[label] * (self.caution if label == Label.CONTRADICTION else 1.0))

    def raises(self, label: Label, scores: Mapping[str, float]) -> bool:
        """Whether the finding is sure enough for a queue that sees mostly unrelated neighbours."""
        return label != Label.UNRELATED and scores[label] >= self.alarm[label]


@lru_cache(maxsize=1)
def load() -> Model:
    """The model that ships with the platform (made by ``review.detection.train``)."""
    return Model(**json.loads(FILE.read_text("utf-8")))
