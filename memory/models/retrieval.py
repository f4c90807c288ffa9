"""When a record was found by a search."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.indexes import BrinIndex
from django.db import models

AGENT_LENGTH = 64
PRINCIPAL_LENGTH = 160
QUERY_LENGTH = 2_048


class Retrieval(models.Model):
    """A search gave a record to somebody: who asked what, at which place it stood, and the parts of its score.

    Written a few seconds later and in batches (memory.retrievals): no search writes to PostgreSQL. Rows leave with
    their record, and after METRONIX_RETRIEVAL_DAYS.
    """

    id = models.BigAutoField(primary_key=True)
    workspace = models.ForeignKey("metronix.Workspace", on_delete=models.CASCADE, related_name="+", db_index=False)
    record = models.ForeignKey(
        "memory.MemoryRecord",
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        related_name="retrievals",
        db_index=False,
    )
    agent_id = models.CharField(max_length=AGENT_LENGTH, blank=True, default="")
    principal = models.CharField(max_length=PRINCIPAL_LENGTH, blank=True, default="")
    door = models.CharField(max_length=16)
    query = models.CharField(max_length=QUERY_LENGTH)
    rank = models.IntegerField()
    score = models.FloatField()
    vector = models.FloatField()
    lexical = models.FloatField()
    graph = models.FloatField()
    session = models.FloatField()
    created_at = models.DateTimeField(help_text="When the search was answered, not when this was written.")

    class Meta:
        db_table = "memory_retrievals"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["workspace", "id"], name="retrievals_workspace_and_id")
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["workspace", "record", "-created_at"], name="retrievals_by_record"),
            # For pruning: rows come in the order of their time, so a few kilobytes tell where the old ones lie.
            BrinIndex(fields=["created_at"], name="retrievals_by_time", autosummarize=True),
        ]

    def __str__(self) -> str:
        # Not the query, for the reason of the record's.
        return str(self.id)
