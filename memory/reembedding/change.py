"""The change itself: fill, index, fill what came meanwhile, switch in one moment, fill the rest.

Until the switch, stores and searches use the former model, whose vectors stay; so an interruption at any point leaves a
working platform, and another run goes on where this one stopped.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from django.db import DatabaseError, connection, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from memory.models import Embedding, EmbeddingModel, MemoryRecord
from memory.reembedding.indexes import drop_index, ensure_index
from memory.reembedding.missing import Filled, count_missing, fill_missing
from memory.reembedding.registration import registered
from memory.reembedding.scope import everywhere
from memory.services.embedding_models import FRESH_SECONDS, as_used, forget_model_in_use
from memory.vocabulary import EmbeddingStatus
from metronix.errors import Conflict
from metronix.ports.embedder import Embedder

SMALL_REST = 100
"""So few texts may be without a vector for the seconds between the switch and their turn; words find them."""
ROUNDS = 10
LOCK_SECONDS = 5
PRUNED_AT_ONCE = 5_000


@dataclass(frozen=True)
class ChangeReport:
    """What a run did: the model now current, texts embedded, whether it was switched to, texts that were refused."""

    model: str
    texts: int
    switched: bool
    refused: dict[str, str]


Progress = Callable[[str, int, int], None]
"""Called with the step, the texts done and their number."""


def change_model(embedder: Embedder, *, batch: int, progress: Progress) -> ChangeReport:
    """Make `embedder` the model of all workspaces. For the model that is current already: add what it lacks.

    Errors: EmbedderUnavailable (away for long; run again to resume), Conflict, InvalidParams (registration).
    """
    row = registered(embedder)
    model = as_used(row)
    filled = Filled()
    total = count_missing(model.id)

    def report(done: int) -> None:
        progress("embedding", done, max(total, done))

    report(0)
    fill_missing(model, batch=batch, report=report, filled=filled)
    progress("indexing", filled.texts, filled.texts)
    ensure_index(model.id, model.dimensions)
    for _ in range(ROUNDS):
        if fill_missing(model, batch=batch, report=report, filled=filled) < SMALL_REST:
            break
    switched = _switch_to(row)
    # Processes that have not noticed yet store without the new model's vectors for a moment.
    if switched:
        time.sleep(FRESH_SECONDS)
    fill_missing(model, batch=batch, report=report, filled=filled)
    _mark_ready(model.id)
    return ChangeReport(model.name, filled.texts, switched, _readable(filled))


def roll_back(*, batch: int, progress: Progress) -> ChangeReport:
    """Make the model before the current one current again, at once, and then add what it lacks.

    Errors: Conflict (there is none); EmbedderUnavailable, after the switch, when texts stored since cannot be embedded
    because this process does not have that model's embedder.
    """
    before = EmbeddingModel.objects.filter(is_current=False, current_since__isnull=False).order_by("current_since")
    row = before.last()
    if row is None:
        raise Conflict("There is no former embedding model to go back to.")
    model = as_used(row)
    ensure_index(model.id, model.dimensions)
    _switch_to(row)
    filled = Filled()
    total = count_missing(model.id)
    if total:
        fill_missing(
            model, batch=batch, report=lambda done: progress("embedding", done, max(total, done)), filled=filled
        )
    _mark_ready(model.id)
    return ChangeReport(model.name, filled.texts, True, _readable(filled))


def prune_models(*, progress: Progress) -> list[str]:
    """Delete the vectors and indexes of every model but the current one; returns their names."""
    pruned = []
    for row in EmbeddingModel.objects.filter(is_current=False).order_by("id"):
        drop_index(row.id)
        with everywhere():
            total = Embedding.objects.filter(model_id=row.id).count()
        done = 0
        while True:
            with everywhere():
                some = Embedding.objects.filter(model_id=row.id).order_by("id").values("id")[:PRUNED_AT_ONCE]
                gone, _ = Embedding.objects.filter(id__in=list(some.values_list("id", flat=True))).delete()
            done += gone
            progress(f"deleting {row.name}", done, max(total, done))
            if not gone:
                break
        row.delete()
        pruned.append(row.name)
    return pruned


def _switch_to(row: EmbeddingModel) -> bool:
    """One transaction; false when the model was current already."""
    if EmbeddingModel.objects.filter(id=row.id, is_current=True).exists():
        return False
    for attempt in range(ROUNDS):
        try:
            with transaction.atomic():
                with connection.cursor() as cursor:
                    # Stores wait behind this, so it must not wait long for a slow one.
                    cursor.execute("SELECT set_config('lock_timeout', %s, true)", [f"{LOCK_SECONDS}s"])
                    cursor.execute("SELECT pg_advisory_xact_lock(hashtext('metronix_embedding_model'))")
                EmbeddingModel.objects.filter(is_current=True).update(is_current=False)
                EmbeddingModel.objects.filter(id=row.id).update(is_current=True, current_since=timezone.now())
            break
        except DatabaseError:
            if attempt == ROUNDS - 1:
                raise
            time.sleep(FRESH_SECONDS)
    forget_model_in_use()
    return True


def _mark_ready(model_id: int) -> None:
    """Records that the former model could not embed, or not yet, and that have vectors now."""
    embedded = Embedding.objects.filter(record_id=OuterRef("id"), model_id=model_id, version__isnull=True)
    with everywhere():
        MemoryRecord.objects.exclude(embedding_status=EmbeddingStatus.READY).filter(Exists(embedded)).update(
            embedding_status=EmbeddingStatus.READY
        )


def _readable(filled: Filled) -> dict[str, str]:
    return {str(number): reason for number, reason in filled.refused.items()}
