"""The memory record: one table for Metronix memories, Argos memories and HyphaeDB cells."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models.functions import Now
from pgvector.django import SparseVectorField

from memory.querysets import RecordQuerySet
from memory.vocabulary import Category, EmbeddingStatus, Kind, Scope, Status, choices

TERM_DIMENSIONS = 960_000_000
"""Dimensions of the sparse term vector: 240 million term slots of four frequency classes (memory.terms.lexical)."""


class MemoryRecord(models.Model):
    """What an agent remembers, as text, with who may read it, where it is in its life and how it is found.

    `content` is kept exactly as sent. `content_hash` is SHA-256 of its NFC form without outer white space, and is
    unique among live records of one (workspace, agent, scope, session). `term_ids`, `term_weights` and `term_count`
    serve the lexical leg. `revision` rises with every change of the row, `version` with every change of the content.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    workspace = models.ForeignKey("metronix.Workspace", on_delete=models.CASCADE, related_name="+", db_index=False)
    agent_id = models.CharField(max_length=64)
    scope = models.CharField(max_length=16, choices=choices(Scope), default=Scope.PER_AGENT)
    kind = models.CharField(max_length=16, choices=choices(Kind), default=Kind.FACT)
    category = models.CharField(max_length=16, choices=choices(Category), default=Category.CONTEXT_NOTE)
    cell_type = models.CharField(max_length=16, null=True, blank=True)
    layer = models.CharField(max_length=2, null=True, blank=True)
    project = models.CharField(max_length=128, blank=True, default="")
    session = models.ForeignKey(
        "memory.Session",
        null=True,
        blank=True,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        related_name="records",
    )
    session_key = models.CharField(
        max_length=128, null=True, blank=True, help_text="The session's id as callers name it."
    )
    position = models.IntegerField(null=True, editable=False, help_text="Place in the session, from 0, as written.")
    source_type = models.CharField(max_length=64, blank=True, default="")
    content = models.TextField()
    tags = ArrayField(models.CharField(max_length=64), default=list, blank=True)
    importance_score = models.FloatField(default=0.5)
    metadata = models.JSONField(default=dict, blank=True)

    content_hash = models.CharField(max_length=64, editable=False)
    simhash = models.BigIntegerField(default=0, editable=False)
    term_ids = ArrayField(models.IntegerField(), default=list, editable=False)
    term_weights = SparseVectorField(dimensions=TERM_DIMENSIONS, null=True, editable=False)
    term_count = models.IntegerField(default=0, editable=False)
    embedding_status = models.CharField(
        max_length=8, choices=choices(EmbeddingStatus), default=EmbeddingStatus.PENDING, editable=False
    )

    status = models.CharField(max_length=16, choices=choices(Status), default=Status.ACTIVE)
    verification_state = models.CharField(max_length=64, blank=True, default="")
    superseded_by = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.DO_NOTHING, db_constraint=False, related_name="supersedes"
    )
    valid_from = models.DateTimeField(db_default=Now())
    valid_until = models.DateTimeField(null=True, blank=True)
    ttl_expires_at = models.DateTimeField(null=True, blank=True)
    freshness_score = models.FloatField(default=1.0)
    evidence_count = models.IntegerField(default=0)

    source_agent = models.CharField(max_length=160, blank=True, default="")
    principal = models.CharField(max_length=160, blank=True, default="")
    provenance_origin = models.CharField(max_length=16, default="internal")
    grounding = models.CharField(max_length=16, default="observed")
    confidence = models.FloatField(default=0.5)

    revision = models.IntegerField(default=1)
    version = models.IntegerField(default=1)
    content_since = models.DateTimeField(db_default=Now(), help_text="Since when the content is what it is.")
    stored_at = models.DateTimeField(db_default=Now(), help_text="The server's time; imports may set created_at back.")
    created_at = models.DateTimeField(db_default=Now())
    updated_at = models.DateTimeField(db_default=Now())
    last_accessed_at = models.DateTimeField(null=True, blank=True)

    objects = RecordQuerySet.as_manager()

    class Meta:
        db_table = "memory_records"
        ordering: ClassVar[list[str]] = ["-created_at", "-id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["workspace", "id"], name="memory_records_workspace_and_id"),
            models.CheckConstraint(
                condition=models.Q(importance_score__gte=0, importance_score__lte=1), name="importance_between_0_and_1"
            ),
            models.CheckConstraint(condition=models.Q(status__in=[s.value for s in Status]), name="known_status"),
            models.CheckConstraint(condition=models.Q(scope__in=[s.value for s in Scope]), name="known_scope"),
            models.CheckConstraint(
                condition=~models.Q(scope=Scope.SESSION.value) | models.Q(session_key__isnull=False),
                name="session_scope_names_a_session",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["workspace", "agent_id", "-created_at", "-id"], name="memory_by_agent"),
            models.Index(fields=["workspace", "session", "position"], name="memory_by_session"),
            models.Index(fields=["workspace", "scope", "status"], name="memory_by_scope"),
            GinIndex(fields=["term_ids"], name="memory_by_term", fastupdate=False),
        ]

    def __str__(self) -> str:
        # Not the content: this text goes into logs, and into the admin's log, which knows no workspace.
        return str(self.id)
