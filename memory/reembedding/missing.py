"""Which texts have no vector of a model yet, and giving them one."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from memory.models import Embedding, MemoryRecord, RecordVersion
from memory.reembedding.scope import everywhere
from memory.services.embedding_models import ModelInUse
from memory.services.preparation import windows_of
from metronix.ports.embedder import Embedder, EmbedderUnavailable

ATTEMPTS = 6
FIRST_PAUSE = 1.0
"""Seconds until an embedder that did not answer is asked again, doubled each time: half a minute in all."""

# The content itself (`version` null) and its former ones; the unique index on memory_embeddings answers the question.
TEXTS = {
    "records": """
        FROM memory_records t WHERE NOT EXISTS (
            SELECT FROM memory_embeddings e
            WHERE e.workspace_id = t.workspace_id AND e.record_id = t.id AND e.version_id IS NULL
                AND e.model_id = %s)""",
    "versions": """
        FROM memory_versions t WHERE NOT EXISTS (
            SELECT FROM memory_embeddings e
            WHERE e.workspace_id = t.workspace_id AND e.record_id = t.record_id AND e.version_id = t.id
                AND e.model_id = %s)""",
}
COLUMNS = {
    "records": "t.workspace_id, t.id, t.id, NULL::uuid, t.version, t.content",
    "versions": "t.workspace_id, t.id, t.record_id, t.id, NULL::int, t.content",
}
FIRST = uuid.UUID(int=0)


@dataclass(frozen=True, slots=True)
class Text:
    """A content without a vector. `number` is the record's version when it was read, None for a former content."""

    workspace_id: str
    id: uuid.UUID
    record_id: uuid.UUID
    version_id: uuid.UUID | None
    number: int | None
    content: str


@dataclass
class Filled:
    """How many texts got vectors, and which cannot be embedded at all, with the reason."""

    texts: int = 0
    refused: dict[uuid.UUID, str] = field(default_factory=dict)


def count_missing(model_id: int) -> int:
    """Texts of all workspaces that have no vector of the model."""
    with everywhere(), connection.cursor() as cursor:
        counts = []
        for source in TEXTS.values():
            cursor.execute(f"SELECT count(*) {source}", [model_id])
            row = cursor.fetchone()
            counts.append(row[0] if row else 0)
    return sum(counts)


def fill_missing(model: ModelInUse, *, batch: int, report: Callable[[int], None], filled: Filled) -> int:
    """Embed what is missing, in order of id, batch by batch in transactions of their own; returns how many.

    What is there already is skipped, so an interrupted run is continued by another. Error: EmbedderUnavailable when
    the embedder stays away.
    """
    embedder = model.embedder()
    done = 0
    for kind in TEXTS:
        for texts in _batches(kind, model.id, batch):
            wanted = [text for text in texts if text.id not in filled.refused]
            vectors = _embedded(embedder, wanted, filled)
            _write(model.id, [(text, vectors[text.id]) for text in wanted if text.id in vectors])
            filled.texts += len(vectors)
            done += len(vectors)
            report(filled.texts)
    return done


def _batches(kind: str, model_id: int, size: int) -> Iterator[list[Text]]:
    last = FIRST
    while True:
        with everywhere(), connection.cursor() as cursor:
            cursor.execute(
                f"SELECT {COLUMNS[kind]} {TEXTS[kind]} AND t.id > %s ORDER BY t.id LIMIT %s", [model_id, last, size]
            )
            texts = [Text(*row) for row in cursor.fetchall()]
        if not texts:
            return
        last = texts[-1].id
        yield texts


def _embedded(embedder: Embedder, texts: list[Text], filled: Filled) -> dict[uuid.UUID, NDArray[np.float32]]:
    """All in one call; text by text only when one of them is refused."""
    try:
        windows = [windows_of(embedder, text.content) for text in texts]
        rows = _patiently(embedder, [window for of_text in windows for window in of_text])
    except ValueError as problem:
        if len(texts) == 1:
            filled.refused[texts[0].id] = str(problem)
            return {}
        return {key: rows for text in texts for key, rows in _embedded(embedder, [text], filled).items()}
    found = {}
    start = 0
    for text, of_text in zip(texts, windows, strict=True):
        found[text.id] = rows[start : start + len(of_text)]
        start += len(of_text)
    return found


def _patiently(embedder: Embedder, windows: list[str]) -> NDArray[np.float32]:
    for attempt in range(ATTEMPTS):
        try:
            return embedder.embed_passages(windows)
        except EmbedderUnavailable:
            if attempt == ATTEMPTS - 1:
                raise
            time.sleep(FIRST_PAUSE * 2**attempt)
    raise AssertionError("unreachable")


def _write(model_id: int, embedded: list[tuple[Text, NDArray[np.float32]]]) -> None:
    with everywhere():
        # Held against updates and deletes: a vector must not outlive the text it was made of.
        records = [text.record_id for text, _ in embedded if text.version_id is None]
        numbers = dict(
            MemoryRecord.objects.select_for_update(no_key=True)
            .filter(id__in=records)
            .order_by("id")
            .values_list("id", "version")
        )
        versions = set(
            RecordVersion.objects.select_for_update(no_key=True)
            .filter(id__in=[text.version_id for text, _ in embedded if text.version_id is not None])
            .order_by("id")
            .values_list("id", flat=True)
        )
        Embedding.objects.bulk_create(
            (
                Embedding(
                    workspace_id=text.workspace_id,
                    record_id=text.record_id,
                    version_id=text.version_id,
                    model_id=model_id,
                    window=number,
                    embedding=vector,
                )
                for text, vectors in embedded
                if text.version_id in versions or (text.version_id is None and numbers.get(text.id) == text.number)
                for number, vector in enumerate(vectors)
            ),
            ignore_conflicts=True,
        )
