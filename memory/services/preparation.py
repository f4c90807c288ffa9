"""Everything that is derived from a text before it is written: hash, terms, SimHash, entities, vectors.

Runs outside any transaction: an embedding takes milliseconds to seconds.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np
from django.conf import settings
from django.utils import timezone
from numpy.typing import NDArray
from pgvector import SparseVector

from memory.entities import Entity, entities_of
from memory.models.record import TERM_DIMENSIONS
from memory.services.embedding_models import model_in_use
from memory.terms.analysis import terms
from memory.terms.lexical import row_vector
from memory.terms.simhash import simhash
from memory.vocabulary import EmbeddingStatus
from metronix.ports.embedder import Embedder, EmbedderUnavailable, embed_within, split_windows
from metronix.unicode import normalised

logger = logging.getLogger(__name__)

INLINE_WINDOWS = 2
"""Longer texts are embedded by the worker, so that a store answers at once."""


@dataclass(frozen=True)
class Prepared:
    """The derived columns of one text. `vectors`, of the model `model_id`, has one row per window; None: pending."""

    content: str
    content_hash: str
    simhash: int
    term_ids: list[int]
    term_count: int
    term_weights: SparseVector
    vectors: NDArray[np.float32] | None = field(default=None, compare=False)
    entities: list[Entity] = field(default_factory=list)
    model_id: int | None = None

    @property
    def embedding_status(self) -> EmbeddingStatus:
        """Ready as soon as there are vectors."""
        return EmbeddingStatus.READY if self.vectors is not None else EmbeddingStatus.PENDING


def content_hash(text: str) -> str:
    """SHA-256, hex, of the text in Unicode NFC without outer white space (contract: memory_store)."""
    return hashlib.sha256(normalised("NFC", text).strip().encode("utf-8")).hexdigest()


def prepare(workspace_id: str, contents: list[str], said_at: Sequence[datetime | None] | None = None) -> list[Prepared]:
    """Derive all of it for several texts of a workspace, embedding the short ones in one call.

    `said_at` (None: now) is what "yesterday" in a text is counted from.
    """
    vectors, model_id = _vectors(contents)
    return [
        replace(without_vectors(workspace_id, text, moment), vectors=vector, model_id=model_id)
        for text, vector, moment in zip(contents, vectors, said_at or [None] * len(contents), strict=True)
    ]


def windows_of(embedder: Embedder, text: str) -> list[str]:
    """The parts of a text that are embedded each by itself, together all of it."""
    return split_windows(text, embedder.count_tokens, embedder.max_window_tokens)


def without_vectors(workspace_id: str, text: str, said_at: datetime | None = None) -> Prepared:
    """All that is derived from a text, said at that moment (None: now), but its vectors."""
    counter = terms(text, settings.METRONIX_LANGUAGE)
    term_ids, length, elements = row_vector(workspace_id, counter)
    return Prepared(
        content=text,
        content_hash=content_hash(text),
        simhash=simhash(counter),
        term_ids=term_ids,
        term_count=length,
        term_weights=SparseVector(elements, TERM_DIMENSIONS),
        entities=entities_of(text, (said_at or timezone.now()).date(), settings.METRONIX_LANGUAGE),
    )


def _vectors(contents: list[str]) -> tuple[list[NDArray[np.float32] | None], int | None]:
    """The vectors of each text that is short enough, and the model that gave them."""
    found: list[NDArray[np.float32] | None] = [None] * len(contents)
    try:
        model = model_in_use()
        embedder = model.embedder()
        split = [windows_of(embedder, text) for text in contents]
        short = [index for index, windows in enumerate(split) if len(windows) <= INLINE_WINDOWS]
        flat = [window for index in short for window in split[index]]
        if not flat:
            return found, None
        # The limit is for one text; a batch may take that long for each.
        rows = embed_within(embedder, flat, settings.METRONIX_EMBED_TIMEOUT * len(short))
    except EmbedderUnavailable as problem:
        logger.warning("embedder did not answer, the worker will embed: %s", problem)
        return found, None
    start = 0
    for index in short:
        end = start + len(split[index])
        found[index] = rows[start:end]
        start = end
    return found, model.id
