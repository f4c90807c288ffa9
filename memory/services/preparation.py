"""Everything that is derived from a text before it is written: hash, terms, SimHash, vectors.

Runs outside any transaction: an embedding takes milliseconds to seconds.
"""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass, field, replace

import numpy as np
from django.conf import settings
from numpy.typing import NDArray
from pgvector import SparseVector

from memory.models.record import TERM_DIMENSIONS
from memory.services.embeddings import current_model
from memory.terms.analysis import terms
from memory.terms.lexical import row_vector
from memory.terms.simhash import simhash
from memory.vocabulary import EmbeddingStatus
from metronix.errors import VectorSearchUnavailable
from metronix.ports.embedder import Embedder, EmbedderUnavailable, embed_within, get_embedder, split_windows
from metronix.unicode import normalised

logger = logging.getLogger(__name__)

INLINE_WINDOWS = 2
"""Longer texts are embedded by the worker, so that a store answers at once."""


@dataclass(frozen=True)
class Prepared:
    """The derived columns of one text. `vectors` has one row per window, or is None while they are pending."""

    content: str
    content_hash: str
    simhash: int
    term_ids: list[int]
    term_count: int
    term_weights: SparseVector
    vectors: NDArray[np.float32] | None = field(default=None, compare=False)

    @property
    def embedding_status(self) -> EmbeddingStatus:
        """Ready as soon as there are vectors."""
        return EmbeddingStatus.READY if self.vectors is not None else EmbeddingStatus.PENDING


def content_hash(text: str) -> str:
    """SHA-256, hex, of the text in Unicode NFC without outer white space (contract: memory_store)."""
    return hashlib.sha256(normalised("NFC", text).strip().encode("utf-8")).hexdigest()


def prepare(workspace_id: str, contents: list[str]) -> list[Prepared]:
    """Derive all of it for several texts of a workspace, embedding the short ones in one call."""
    vectors = _vectors(contents)
    return [
        replace(without_vectors(workspace_id, text), vectors=vector)
        for text, vector in zip(contents, vectors, strict=True)
    ]


def windows_of(embedder: Embedder, text: str) -> list[str]:
    """The parts of a text that are embedded each by itself, together all of it."""
    return split_windows(text, embedder.count_tokens, embedder.max_window_tokens)


def without_vectors(workspace_id: str, text: str) -> Prepared:
    """All that is derived from a text but its vectors."""
    counter = terms(text, settings.METRONIX_LANGUAGE)
    term_ids, length, elements = row_vector(workspace_id, counter)
    return Prepared(
        content=text,
        content_hash=content_hash(text),
        simhash=simhash(counter),
        term_ids=term_ids,
        term_count=length,
        term_weights=SparseVector(elements, TERM_DIMENSIONS),
    )


def _vectors(contents: list[str]) -> list[NDArray[np.float32] | None]:
    found: list[NDArray[np.float32] | None] = [None] * len(contents)
    try:
        embedder = get_embedder()
        current_model()  # vectors of a model that the database does not know are of no use
        split = [windows_of(embedder, text) for text in contents]
        short = [index for index, windows in enumerate(split) if len(windows) <= INLINE_WINDOWS]
        flat = [window for index in short for window in split[index]]
        if not flat:
            return found
        # The limit is for one text; a batch may take that long for each.
        rows = embed_within(embedder, flat, settings.METRONIX_EMBED_TIMEOUT * len(short))
    except (EmbedderUnavailable, VectorSearchUnavailable) as problem:
        logger.warning("embedder did not answer, the worker will embed: %s", problem)
        return found
    start = 0
    for index in short:
        end = start + len(split[index])
        found[index] = rows[start:end]
        start = end
    return found
