"""Embeds what a store could not embed in time: long texts, and those of a moment when the embedder was away."""

from __future__ import annotations

import logging
import uuid
from datetime import timedelta
from typing import Any

from django.utils import timezone

from memory.events import Consumer
from memory.models import Delivery, MemoryRecord
from memory.services.embedding_models import model_id_for_writing, model_in_use
from memory.services.embeddings import replace_vectors
from memory.services.preparation import windows_of
from memory.vocabulary import EmbeddingStatus
from metronix.ports.embedder import EmbedderUnavailable
from metronix.tenancy.context import workspaces_visible

logger = logging.getLogger(__name__)

NAME = "embedding"
LONGEST_WAIT_SECONDS = 600


def wants(event_type: str, data: dict[str, Any]) -> bool:
    """Stores and updates whose content has no vector yet."""
    return data.get("embedding") == EmbeddingStatus.PENDING.value


def handle(workspace_id: str, delivery_ids: list[int]) -> None:
    """Embed the records of these deliveries, one after the other, each in its own transaction."""
    with workspaces_visible(workspace_id):
        pending = list(
            Delivery.objects.filter(workspace_id=workspace_id, id__in=delivery_ids, state="pending")
            .order_by("id")
            .values_list("id", "event__record_id")
        )
    for delivery_id, record_id in pending:
        _embed(workspace_id, delivery_id, record_id)


def _embed(workspace_id: str, delivery_id: int, record_id: uuid.UUID | None) -> None:
    if record_id is None:
        _finish(workspace_id, delivery_id)
        return
    with workspaces_visible(workspace_id):
        record = MemoryRecord.objects.filter(id=record_id).only("content", "version", "embedding_status").first()
    if record is None or record.embedding_status == EmbeddingStatus.READY:
        _finish(workspace_id, delivery_id)
        return
    try:
        model = model_in_use()
        embedder = model.embedder()
        vectors = embedder.embed_passages(windows_of(embedder, record.content))
        with workspaces_visible(workspace_id):
            current = MemoryRecord.objects.select_for_update().filter(id=record_id).first()
            if current is not None and current.version == record.version:
                if model_id_for_writing() != model.id:
                    raise EmbedderUnavailable("the embedding model was changed meanwhile")
                replace_vectors(current, vectors, model.id)
                MemoryRecord.objects.filter(id=record_id).update(embedding_status=EmbeddingStatus.READY)
            # A newer version has a delivery of its own.
            Delivery.objects.filter(id=delivery_id).delete()
    except EmbedderUnavailable as problem:
        _postpone(workspace_id, delivery_id, str(problem))
    except ValueError as problem:
        _give_up(workspace_id, delivery_id, record, str(problem))
    except Exception as problem:
        logger.exception("embedding of record %s failed", record_id)
        _postpone(workspace_id, delivery_id, f"{type(problem).__name__}: {problem}")


def _finish(workspace_id: str, delivery_id: int) -> None:
    with workspaces_visible(workspace_id):
        Delivery.objects.filter(id=delivery_id).delete()


def _postpone(workspace_id: str, delivery_id: int, reason: str) -> None:
    """Try again after 5, 10, 20, ... seconds, at most ten minutes: an embedder that is down comes back some day."""
    logger.warning("embedding postponed: %s", reason)
    with workspaces_visible(workspace_id):
        delivery = Delivery.objects.select_for_update().filter(id=delivery_id).first()
        if delivery is None:
            return
        wait = min(5 * 2 ** min(delivery.attempts, 10), LONGEST_WAIT_SECONDS)
        delivery.attempts += 1
        delivery.error = reason[:500]
        delivery.available_at = timezone.now() + timedelta(seconds=wait)
        delivery.save()


def _give_up(workspace_id: str, delivery_id: int, record: MemoryRecord, reason: str) -> None:
    """The text itself cannot be embedded; it stays findable by its words, and the reason stays to be seen."""
    logger.error("record %s cannot be embedded: %s", record.id, reason)
    with workspaces_visible(workspace_id):
        # Not a newer content, which may be embedded already.
        MemoryRecord.objects.filter(id=record.id, version=record.version).update(
            embedding_status=EmbeddingStatus.FAILED
        )
        Delivery.objects.filter(id=delivery_id).update(state="failed", error=reason[:500])


CONSUMER = Consumer(NAME, wants, handle)
