"""Vectors, kept apart from the texts: one per window, and of more than one model while a change is under way."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now
from pgvector.django import VectorField


class EmbeddingModel(models.Model):
    """An embedder whose vectors are in the database. Exactly one is current: the one that queries are put to."""

    id = models.SmallAutoField(primary_key=True)
    name = models.CharField(max_length=128, unique=True)
    dimensions = models.IntegerField()
    calibration = models.JSONField(help_text="What was measured (metronix.ports.embedder.calibrated); {}: built in.")
    is_current = models.BooleanField(default=False)
    current_since = models.DateTimeField(null=True, blank=True, help_text="When it last became the current one.")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "embedding_models"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["is_current"], condition=models.Q(is_current=True), name="one_current_embedding_model"
            )
        ]

    def __str__(self) -> str:
        return self.name


class Embedding(models.Model):
    """The vector of one window of a record's current content (`version` null) or of a former one.

    The column has no fixed dimension, so that models of different sizes live side by side; each has an HNSW index of
    its own over a cast to its size.
    """

    id = models.BigAutoField(primary_key=True)
    workspace = models.ForeignKey("metronix.Workspace", on_delete=models.CASCADE, related_name="+", db_index=False)
    record = models.ForeignKey(
        "memory.MemoryRecord",
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        related_name="embeddings",
        db_index=False,
    )
    version = models.ForeignKey(
        "memory.RecordVersion",
        null=True,
        blank=True,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        related_name="embeddings",
        db_index=False,
    )
    model = models.ForeignKey(EmbeddingModel, on_delete=models.PROTECT, related_name="+", db_index=False)
    window = models.SmallIntegerField()
    embedding = VectorField()

    class Meta:
        db_table = "memory_embeddings"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["workspace", "id"], name="memory_embeddings_workspace_and_id"),
            models.UniqueConstraint(
                fields=["workspace", "record", "version", "model", "window"],
                nulls_distinct=False,
                name="one_embedding_per_window_and_model",
            ),
        ]

    def __str__(self) -> str:
        return f"window {self.window} of {self.record_id}"
