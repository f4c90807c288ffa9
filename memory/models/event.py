"""The audit trail, and what each background consumer still has to do about it."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.db import models
from django.db.models.functions import Now


class MachineEvent(models.Model):
    """Something that happened to a record or session. Append-only: the application role may insert and read.

    `data` holds ids, statuses, counts and field names, never content, so that a deleted text leaves nothing here.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    workspace = models.ForeignKey("metronix.Workspace", on_delete=models.CASCADE, related_name="+", db_index=False)
    event_type = models.CharField(max_length=64)
    actor = models.CharField(max_length=32, help_text="The door: mcp_caller, rest_caller, operator, worker, ...")
    principal = models.CharField(max_length=160, blank=True, default="")
    agent_id = models.CharField(max_length=64, blank=True, default="")
    record_id = models.UUIDField(null=True, blank=True, help_text="A bare id: it outlives the record.")
    session_key = models.CharField(max_length=128, null=True, blank=True)
    data = models.JSONField(default=dict, blank=True)
    request_id = models.CharField(max_length=64, blank=True, default="")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "machine_events"
        ordering: ClassVar[list[str]] = ["-created_at"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["workspace", "id"], name="machine_events_workspace_and_id")
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["workspace", "record_id", "created_at"], name="events_by_record"),
            models.Index(fields=["workspace", "-created_at"], name="events_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.event_type} {self.record_id or ''}".strip()


class Delivery(models.Model):
    """One event's way to one consumer. Written with the event, so neither exists without the other.

    Consumers take what is pending, by state and never by `id > last`: a writer that commits late is not missed.
    A finished delivery is deleted; what stays is pending (with its last error and next attempt) or failed for good.
    """

    id = models.BigAutoField(primary_key=True)
    workspace = models.ForeignKey("metronix.Workspace", on_delete=models.CASCADE, related_name="+", db_index=False)
    event = models.ForeignKey(
        MachineEvent, on_delete=models.DO_NOTHING, db_constraint=False, related_name="deliveries", db_index=False
    )
    consumer = models.CharField(max_length=32)
    state = models.CharField(max_length=8, default="pending", choices=[("pending", "pending"), ("failed", "failed")])
    attempts = models.IntegerField(default=0)
    error = models.CharField(max_length=500, blank=True, default="")
    available_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "event_deliveries"
        verbose_name_plural = "deliveries"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["workspace", "id"], name="event_deliveries_workspace_and_id"),
            models.UniqueConstraint(fields=["workspace", "event", "consumer"], name="one_delivery_per_consumer"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["consumer", "available_at"], condition=models.Q(state="pending"), name="due_deliveries"
            )
        ]

    def __str__(self) -> str:
        return f"{self.event_id} to {self.consumer}"
