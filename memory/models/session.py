"""Working sessions of agents; HyphaeDB's and Metronix's are the same."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.db import models
from django.db.models.functions import Now


class Session(models.Model):
    """One agent's session. `key` is the id callers use: sent by the first store, or given out by start_session.

    `next_position` numbers the session's records; raising it serialises the writers of one session, and only those.
    The same key of two agents names two sessions, so naming another agent's session shows nothing.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    workspace = models.ForeignKey("metronix.Workspace", on_delete=models.CASCADE, related_name="+", db_index=False)
    agent_id = models.CharField(max_length=64)
    key = models.CharField(max_length=128)
    project = models.CharField(max_length=128, blank=True, default="")
    metadata = models.JSONField(default=dict, blank=True)
    next_position = models.IntegerField(default=0, editable=False)
    started_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "memory_sessions"
        ordering: ClassVar[list[str]] = ["-started_at"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["workspace", "id"], name="memory_sessions_workspace_and_id"),
            models.UniqueConstraint(fields=["workspace", "agent_id", "key"], name="one_session_per_agent_and_key"),
        ]

    def __str__(self) -> str:
        return f"{self.agent_id}/{self.key}"
