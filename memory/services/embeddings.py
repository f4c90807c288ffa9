"""Writing vectors."""

from __future__ import annotations

import numpy as np
from django.db.models import QuerySet
from numpy.typing import NDArray

from memory.models import Embedding, MemoryRecord
from memory.services.embedding_models import model_in_use


def current_model() -> tuple[int, int]:
    """(id, dimensions) of the model that queries are put to."""
    model = model_in_use()
    return model.id, model.dimensions


def write_vectors(pairs: list[tuple[MemoryRecord, NDArray[np.float32]]], model_id: int) -> None:
    """Insert one row per window; the vectors of a record, all of one model, are an array (windows, dimensions)."""
    if not pairs:
        return
    Embedding.objects.bulk_create(
        Embedding(
            workspace_id=record.workspace_id, record_id=record.id, model_id=model_id, window=number, embedding=vector
        )
        for record, vectors in pairs
        for number, vector in enumerate(vectors)
    )


def replace_vectors(record: MemoryRecord, vectors: NDArray[np.float32], model_id: int) -> None:
    """Exchange the vectors that a model gave of a record's current content for these."""
    current_vectors(record).filter(model_id=model_id).delete()
    write_vectors([(record, vectors)], model_id)


def current_vectors(record: MemoryRecord) -> QuerySet[Embedding]:
    """The vectors of the current content, of every model."""
    return Embedding.objects.filter(workspace_id=record.workspace_id, record_id=record.id, version__isnull=True)
