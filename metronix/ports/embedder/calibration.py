"""From a model's raw cosine to a similarity of 0..1 that means the same for every model.

E5 squeezes all cosines into the top of the range (two random texts: about 0.79), so a
threshold on the raw number means nothing. The map is piecewise linear through knots.
Passage-passage follows the platform's definition: 0 at the 99th percentile of random
pairs, 0.85 at the median of true paraphrases, 0.6 half-way between the two cosines, 1 at
cosine 1. Query-passage is built the same way, the first of each pair embedded as a query,
with a foot below (see ``fit``).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

#: Query-passage similarity at the 99th percentile of random pairs; see ``fit``.
FOOT = 0.1

Knots = tuple[tuple[float, float], ...]


def _checked(knots: Sequence[Sequence[float]], side: str) -> Knots:
    pairs = tuple((float(cosine), float(similarity)) for cosine, similarity in knots)
    if len(pairs) < 2:
        raise ValueError(f"{side}: at least two knots are needed")
    for (c0, s0), (c1, s1) in pairwise(pairs):
        if not (c0 < c1 and s0 <= s1):
            raise ValueError(f"{side}: knots must rise")
    if not all(-1.0 <= c <= 1.0 and 0.0 <= s <= 1.0 for c, s in pairs):
        raise ValueError(f"{side}: cosines lie in -1..1 and similarities in 0..1")
    return pairs


@dataclass(frozen=True)
class Calibration:
    """Knots ``(cosine, similarity)``, rising; below the first and above the last: flat."""

    passage: Knots
    query: Knots

    def __post_init__(self) -> None:
        object.__setattr__(self, "passage", _checked(self.passage, "passage"))
        object.__setattr__(self, "query", _checked(self.query, "query"))

    @overload
    def passage_similarity(self, cosine: float) -> float: ...
    @overload
    def passage_similarity(self, cosine: NDArray[Any]) -> NDArray[np.float64]: ...
    def passage_similarity(self, cosine: ArrayLike) -> float | NDArray[np.float64]:
        """Similarity 0..1 of two passages; a scalar gives a float, an array its shape."""
        return _interpolate(cosine, self.passage)

    @overload
    def query_similarity(self, cosine: float) -> float: ...
    @overload
    def query_similarity(self, cosine: NDArray[Any]) -> NDArray[np.float64]: ...
    def query_similarity(self, cosine: ArrayLike) -> float | NDArray[np.float64]:
        """Similarity 0..1 of a query and a passage; shapes as ``passage_similarity``."""
        return _interpolate(cosine, self.query)

    def to_json(self) -> str:
        """The knots as JSON, to be stored beside the model's name."""
        return json.dumps({"passage": self.passage, "query": self.query})

    @classmethod
    def from_json(cls, text: str) -> Calibration:
        """Read ``to_json``'s form; ``ValueError`` for anything else."""
        try:
            data = json.loads(text)
            return cls(passage=data["passage"], query=data["query"])
        except (KeyError, TypeError) as error:
            raise ValueError("not a calibration: 'passage' and 'query' knots expected") from error


def _interpolate(cosine: ArrayLike, knots: Knots) -> float | NDArray[np.float64]:
    xs, ys = zip(*knots, strict=True)
    values = np.interp(np.asarray(cosine, dtype=np.float64), xs, ys)
    return float(values) if values.ndim == 0 else values


def _map(random: ArrayLike, true: ArrayLike, side: str) -> list[tuple[float, float]]:
    zero = float(np.percentile(np.asarray(random, dtype=np.float64), 99))
    same = float(np.median(np.asarray(true, dtype=np.float64)))
    if not zero < same < 1.0:
        raise ValueError(
            f"{side}: true pairs (median {same:.4f}) must lie above random ones "
            f"(99th percentile {zero:.4f}) and below 1; this model cannot tell them apart"
        )
    return [(zero, 0.0), ((zero + same) / 2, 0.6), (same, 0.85), (1.0, 1.0)]


def fit(
    *,
    random_passages: ArrayLike,
    paraphrases: ArrayLike,
    random_queries: ArrayLike,
    query_paraphrases: ArrayLike,
) -> Calibration:
    """Make a calibration from raw cosines (1-d each; a few dozen true pairs suffice).

    ``random_passages`` and ``paraphrases`` are passage-passage cosines of unrelated texts
    and of texts that mean the same; ``random_queries`` and ``query_paraphrases`` the same
    with the first text of each pair embedded as a query. 0.85 thus means "says the same"
    on both maps; a question and its answer, which say different things, come out lower
    (median of ours: 0.69).

    The query map has a foot: from 0 at the median of random pairs to 0.1 at their 99th
    percentile. All passages of one conversation are closer to its questions than random
    texts are; cut off at 0, the weaker evidence among them would be told apart no more.

    ``ValueError`` when true and random pairs overlap too far to be told apart.
    """
    passage = _map(random_passages, paraphrases, "passage")
    (zero, _), *upper = _map(random_queries, query_paraphrases, "query")
    middle = float(np.median(np.asarray(random_queries, dtype=np.float64)))
    foot = [(middle, 0.0), (zero, FOOT)] if middle < zero else [(zero, 0.0)]
    return Calibration(passage=tuple(passage), query=tuple(foot + upper))
