"""Writing vectors."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from django.db.models import QuerySet
from numpy.typing import NDArray

from memory.models import Embedding, EmbeddingModel, MemoryRecord
from metronix.errors import VectorSearchUnavailable
from metronix.ports.embedder import get_embedder


@lru_cache(maxsize=8)
def _model_id(name: str, dimensions: int) -> int:
    row = EmbeddingModel.objects.filter(name=name).first()
    if row is None or row.dimensions != dimensions:
        raise VectorSearchUnavailable(
            f"The embedder {name} ({dimensions} dimensions) has no index in this database.",
            hint="Run manage.py reembed to change the embedding model.",
        )
    return row.id


def current_model() -> tuple[int, int]:
    """(id, dimensions) of the running embedder's vectors. Error: VectorSearchUnavailable when it is unknown here."""
    embedder = get_embedder()
    return _model_id(embedder.name, embedder.dimensions), embedder.dimensions


def write_vectors(pairs: list[tuple[MemoryRecord, NDArray[np.float32]]]) -> None:
    """Insert one row per window; the vectors of a record are an array (windows, dimensions)."""
    if not pairs:
        return
    model_id, _ = current_model()
    Embedding.objects.bulk_create(
        Embedding(
            workspace_id=record.workspace_id, record_id=record.id, model_id=model_id, window=number, embedding=vector
        )
        for record, vectors in pairs
        for number, vector in enumerate(vectors)
    )


def replace_vectors(record: MemoryRecord, vectors: NDArray[np.float32]) -> None:
    """Exchange the vectors of a record's current content, of every model, for these."""
    current_vectors(record).delete()
    write_vectors([(record, vectors)])


def current_vectors(record: MemoryRecord) -> QuerySet[Embedding]:
    """The vectors of the current content."""
    return Embedding.objects.filter(workspace_id=record.workspace_id, record_id=record.id, version__isnull=True)
