"""What the platform asks of an embedding model, whoever provides it."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from .calibration import Calibration

#: Tokens in one embedded window. E5 reads 512 positions; 400 leaves room for its
#: prefix and specials, and a window that is not filled to the brim keeps its topic.
MAX_WINDOW_TOKENS = 400


class EmbedderUnavailable(Exception):
    """The model cannot answer now: not loaded, refused, or gave an unusable vector."""


class EmbedderTimeout(EmbedderUnavailable):
    """The model did not answer within the time the caller could wait."""


@runtime_checkable
class Embedder(Protocol):
    """A model that turns text into unit vectors.

    Every vector is float32, finite and of length 1, so an inner product is a cosine.
    Text that holds NUL or a lone surrogate is a ``ValueError``; every other failure is
    ``EmbedderUnavailable``. All methods may be called from several threads.
    """

    @property
    def name(self) -> str:
        """Stored beside each vector; another name means another vector space."""
        ...

    @property
    def dimensions(self) -> int:
        """Numbers in a vector."""
        ...

    @property
    def max_window_tokens(self) -> int:
        """Longest text, by ``count_tokens``, that callers should embed as one passage."""
        ...

    @property
    def calibration(self) -> Calibration:
        """Maps of this model's raw cosine to similarity 0..1."""
        ...

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the query-side vector, shape ``(dimensions,)``."""
        ...

    def embed_passages(self, texts: list[str]) -> NDArray[np.float32]:
        """Return the passage-side vectors, shape ``(len(texts), dimensions)``."""
        ...

    def count_tokens(self, text: str) -> int:
        """Tokens the model reads for ``text`` as a passage, prefix and specials included."""
        ...
