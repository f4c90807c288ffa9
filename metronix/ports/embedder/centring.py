"""Taking out of every vector what all of a model's vectors share.

E5's vectors lie in a narrow cone: their mean has length 0.88, which squeezes all cosines
to 0.7..0.95 and lets texts that are close to everything (gibberish, "?", "Wow!") outrank
passages that answer. Subtracting the mean from queries and passages alike and scaling to
length 1 again is the first step of Mu and Viswanath, "All-but-the-Top" (ICLR 2018).
Measured on LoCoMo with the mean of 120 sentences of our own (``paraphrases.jsonl``):
dense-only recall@10 0.55 -> 0.59, recall@20 0.64 -> 0.70; any half of the sentences gives
the same within a point. Random pairs then have a cosine near 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def common_part(passages: NDArray[np.float32]) -> NDArray[np.float32]:
    """The mean, shape ``(dim,)``, of raw unit vectors ``(n, dim)`` of unrelated passages."""
    return np.asarray(passages.mean(axis=0, dtype=np.float64), dtype=np.float32)


def centred(vectors: NDArray[np.float32], common: NDArray[np.float32]) -> NDArray[np.float32]:
    """Unit vectors ``(n, dim)`` without their ``common`` part ``(dim,)``.

    A vector equal to ``common`` has nothing left and comes out not finite (0/0), which the
    adapter's check refuses.
    """
    rest = vectors - common
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(rest / np.linalg.norm(rest, axis=1, keepdims=True), dtype=np.float32)
