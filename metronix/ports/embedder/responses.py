"""Reading an embeddings answer: exactly the vectors asked for, or none."""

from __future__ import annotations

import json

import numpy as np
from numpy.typing import NDArray

from .base import EmbedderUnavailable


def vectors_of(body: bytes, count: int, dimensions: int, name: str) -> NDArray[np.float32]:
    """Unit vectors, float32 `(count, dimensions)`, from OpenAI's `{"data": [{"index", "embedding"}]}`.

    `dimensions` 0 takes the size there is. Error: EmbedderUnavailable for anything else than `count` finite vectors of
    one size and of a length that can be made 1.
    """
    try:
        rows = json.loads(body)["data"]
        # The order of a batch is told by `index`; a server that leaves it out means the order of the list.
        by_place = {int(row.get("index", place)): row["embedding"] for place, row in enumerate(rows)}
        found = len(rows)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise EmbedderUnavailable(f"{name}: the answer is not an embeddings object") from None
    if found != count or set(by_place) != set(range(count)):
        raise EmbedderUnavailable(f"{name}: {found} vectors came back for {count} texts")
    try:
        vectors = np.array([by_place[place] for place in range(count)], dtype=np.float64)
    except (ValueError, TypeError):
        raise EmbedderUnavailable(f"{name}: the vectors are not lists of numbers of one size") from None
    if vectors.ndim != 2 or not vectors.shape[1]:
        raise EmbedderUnavailable(f"{name}: the vectors are not lists of numbers of one size")
    if dimensions and vectors.shape[1] != dimensions:
        raise EmbedderUnavailable(f"{name}: the vectors have {vectors.shape[1]} dimensions, not {dimensions}")
    return unit(vectors, name)


def unit(vectors: NDArray[np.float64], name: str) -> NDArray[np.float32]:
    """The same directions with length 1. Error: EmbedderUnavailable for a vector that has none."""
    with np.errstate(all="ignore"):
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        scaled = np.asarray(vectors / norms, dtype=np.float32)
    if not (np.isfinite(norms).all() and (norms > 1e-6).all() and np.isfinite(scaled).all()):
        raise EmbedderUnavailable(f"{name}: a vector is zero or not finite")
    return scaled
