"""A model with what was measured about it: its calibration, and the part that all its vectors share."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .base import Embedder, EmbedderUnavailable
from .calibration import Calibration, fit
from .centring import centred, common_part
from .responses import unit

PAIRS_FILE = "paraphrases.jsonl"


@dataclass(frozen=True)
class Measured:
    """What a calibration run found. `common` is None where taking it out does not pay.

    `answers_first` is the share of questions whose own answer is the nearest of all passages: `bare` as the model gives
    its vectors, `without_common` with their common part taken out.
    """

    calibration: Calibration
    common: NDArray[np.float32] | None
    bare: float
    without_common: float

    def to_json(self) -> dict[str, Any]:
        """As kept in the database, beside the model's name."""
        return {
            **json.loads(self.calibration.to_json()),
            "common": None if self.common is None else [float(number) for number in self.common],
            "answers_first": {"bare": self.bare, "without_common": self.without_common},
        }


class CalibratedEmbedder:
    """A model as the platform uses it: vectors of the size stored, without their common part, and comparable."""

    def __init__(
        self, inner: Embedder, calibration: Calibration, common: NDArray[np.float32] | None, dimensions: int
    ) -> None:
        self.inner = inner
        self.name = inner.name
        self.dimensions = dimensions
        self.max_window_tokens = inner.max_window_tokens
        self.calibration = calibration
        self._common = common

    @classmethod
    def from_json(cls, inner: Embedder, stored: Mapping[str, Any], dimensions: int) -> CalibratedEmbedder:
        """With what `Measured.to_json` kept. Error: EmbedderUnavailable where there is no calibration."""
        try:
            calibration = Calibration.from_json(json.dumps(dict(stored)))
        except ValueError:
            raise EmbedderUnavailable(
                f"{inner.name} is not calibrated yet: run manage.py calibrate_embedder."
            ) from None
        common = stored.get("common")
        return cls(inner, calibration, None if common is None else np.array(common, dtype=np.float32), dimensions)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """As the model, without the common part."""
        vector: NDArray[np.float32] = self._finished(self.inner.embed_query(text)[None, :])[0]
        return vector

    def embed_passages(self, texts: list[str]) -> NDArray[np.float32]:
        """As the model, without the common part."""
        return self._finished(self.inner.embed_passages(texts))

    def count_tokens(self, text: str) -> int:
        """As the model."""
        return self.inner.count_tokens(text)

    def _finished(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        if vectors.shape[1] != self.dimensions:
            raise EmbedderUnavailable(
                f"{self.name}: the vectors have {vectors.shape[1]} dimensions, those stored {self.dimensions}"
            )
        return vectors if self._common is None else unit(centred(vectors, self._common).astype(np.float64), self.name)


def measure(embedder: Embedder, common: NDArray[np.float32] | None = None, *, keep_common: bool = False) -> Measured:
    """Calibrate a model by the sentence pairs that come with the platform (60 in six languages; see `fit`).

    The common part is taken out where that brings more questions to their answer first, or as many with the random
    pairs further below the true ones. With `keep_common` it is as given: vectors stored without one part cannot be
    compared with vectors that lack another. Errors: EmbedderUnavailable; ValueError when the model cannot tell true
    pairs from random ones.
    """
    text = resources.files(__package__).joinpath(PAIRS_FILE).read_text("utf-8")
    pairs = [json.loads(line) for line in text.splitlines()]
    a = embedder.embed_passages([pair["a"] for pair in pairs])
    b = embedder.embed_passages([pair["b"] for pair in pairs])
    s = np.vstack([embedder.embed_query(pair["a"]) for pair in pairs])
    q = np.vstack([embedder.embed_query(pair["q"]) for pair in pairs])
    shared = common if keep_common else common_part(np.vstack([a, b]))
    bare = _first(q, a), _spread(a, b)
    without = bare
    if shared is not None:
        ca, cb, cq = (centred(side, shared) for side in (a, b, q))
        without = _first(cq, ca), _spread(ca, cb)
    if shared is not None and (keep_common or without > bare):
        a, b, s = (centred(side, shared) for side in (a, b, s))
    else:
        shared = None
    random = ~np.eye(len(pairs), dtype=bool)
    found = fit(
        random_passages=(a @ b.T)[random],
        paraphrases=np.diag(a @ b.T),
        random_queries=(s @ b.T)[random],
        query_paraphrases=np.diag(s @ b.T),
    )
    return Measured(found, shared, bare[0], without[0])


def _first(questions: NDArray[np.float32], answers: NDArray[np.float32]) -> float:
    nearest = (questions @ answers.T).argmax(axis=1)
    return round(float((nearest == np.arange(len(nearest))).mean()), 4)


def _spread(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
    """Distance of true and random pairs in standard deviations of the random ones (d' of detection theory)."""
    cosines = a @ b.T
    random = cosines[~np.eye(len(a), dtype=bool)]
    return float((np.diag(cosines).mean() - random.mean()) / max(random.std(), 1e-9))
