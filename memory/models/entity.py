"""What records name: the graph of entities and mentions."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from memory.entities.vocabulary import LONGEST, EntityKind
from memory.vocabulary import choices


class Entity(models.Model):
    """A thing that records of a workspace name. `id` follows from workspace, kind and key (memory.entities).

    It holds no counter: a number that every store of "Anna" raises would make all of them wait for each other. A row
    without a mention is removed by the database (memory/sql/link_entities.sql), so that a deleted text leaves no name.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    workspace = models.ForeignKey("metronix.Workspace", on_delete=models.CASCADE, related_name="+", db_index=False)
    kind = models.CharField(max_length=16, choices=choices(EntityKind))
    key = models.CharField(max_length=LONGEST, help_text="Equal for equal things: folded, or a date's key.")
    name = models.CharField(max_length=LONGEST, help_text="As it was first written.")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "entities"
        verbose_name_plural = "entities"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["workspace", "id"], name="entities_workspace_and_id"),
            models.UniqueConstraint(fields=["workspace", "kind", "key"], name="one_entity_per_key"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


class EntityMention(models.Model):
    """A record's current content names an entity, is said by it, or was said on that day."""

    id = models.BigAutoField(primary_key=True)
    workspace = models.ForeignKey("metronix.Workspace", on_delete=models.CASCADE, related_name="+", db_index=False)
    entity = models.ForeignKey(
        Entity, on_delete=models.DO_NOTHING, db_constraint=False, related_name="mentions", db_index=False
    )
    record = models.ForeignKey(
        "memory.MemoryRecord",
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        related_name="mentions",
        db_index=False,
    )

    class Meta:
        db_table = "entity_mentions"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["workspace", "id"], name="entity_mentions_workspace_and_id"),
            models.UniqueConstraint(fields=["workspace", "record", "entity"], name="one_mention_per_record"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["workspace", "entity", "record"], name="mentions_by_entity")
        ]

    def __str__(self) -> str:
        return f"{self.entity_id} in {self.record_id}"
