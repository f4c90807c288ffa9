"""What records used to say."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.db import models
from pgvector.django import SparseVectorField

from memory.models.record import TERM_DIMENSIONS


class RecordVersion(models.Model):
    """A former content of a record, valid from `valid_from` (inclusive) to `valid_to` (exclusive).

    The current content is the record's own, so that a record never updated costs nothing here. Terms and vectors stay,
    so that a search can be answered as of then.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    workspace = models.ForeignKey("metronix.Workspace", on_delete=models.CASCADE, related_name="+", db_index=False)
    record = models.ForeignKey(
        "memory.MemoryRecord", on_delete=models.DO_NOTHING, db_constraint=False, related_name="versions"
    )
    number = models.IntegerField()
    content = models.TextField()
    content_hash = models.CharField(max_length=64)
    valid_from = models.DateTimeField()
    valid_to = models.DateTimeField()
    principal = models.CharField(max_length=160, blank=True, default="", help_text="Who replaced this content.")
    term_weights = SparseVectorField(dimensions=TERM_DIMENSIONS, null=True, editable=False)
    term_count = models.IntegerField(default=0, editable=False)

    class Meta:
        db_table = "memory_versions"
        ordering: ClassVar[list[str]] = ["number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["workspace", "id"], name="memory_versions_workspace_and_id"),
            models.UniqueConstraint(fields=["record", "number"], name="one_version_per_number"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["workspace", "valid_from", "valid_to"], name="versions_by_time")
        ]

    def __str__(self) -> str:
        return f"version {self.number} of {self.record_id}"
