"""Working sessions, as agents opened and ended them."""

from __future__ import annotations

import json

from django.contrib import admin
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import FieldTextFilter

from memory.models import MemoryRecord, Session
from metronix.adminsite.base import BaseAdmin
from metronix.adminsite.display import chip, link, page_of, when
from metronix.adminsite.filters import WORKSPACE, AgentFilter
from metronix.tenancy.models import Workspace

SHOWN = ("key", "id", "agent_id", "project", "place", "state", "started", "ended", "memories", "notes")


@admin.register(Session)
class SessionAdmin(BaseAdmin):
    """Ended by their agents; looked at here."""

    list_display = ("name", "agent_id", "project", "state", "started", "ended", "memories", "place")
    list_filter = (WORKSPACE, AgentFilter, ("project", FieldTextFilter), ("ended_at", admin.EmptyFieldListFilter))
    search_fields = ("key", "project")
    search_help_text = "Search by id or project"
    ordering = ("-started_at", "-id")
    fields = SHOWN
    readonly_fields = SHOWN

    def get_queryset(self, request: HttpRequest) -> QuerySet[Session]:
        """With the number of memories of each, by the index of sessions."""
        inside = MemoryRecord.objects.filter(
            workspace_id=OuterRef("workspace_id"), session_id=OuterRef("id")
        ).order_by()
        number = inside.values("session_id").annotate(n=Count("id")).values("n")
        return super().get_queryset(request).annotate(records_n=Coalesce(Subquery(number), 0))

    @admin.display(description="session", ordering="key")
    def name(self, row: Session) -> SafeString:
        """Its id as callers name it."""
        return format_html('<a class="mx-link mx-break" href="{}">{}</a>', page_of(Session, row.pk), row.key)

    @admin.display(description="state", ordering="ended_at")
    def state(self, row: Session) -> SafeString:
        """Open or ended."""
        return chip("ended", "plain") if row.ended_at else chip("open", "good")

    @admin.display(description="started", ordering="started_at")
    def started(self, row: Session) -> SafeString | str:
        """Since when."""
        return when(row.started_at)

    @admin.display(description="ended", ordering="ended_at")
    def ended(self, row: Session) -> SafeString | str:
        """Until when."""
        return when(row.ended_at)

    @admin.display(description="memories", ordering="records_n")
    def memories(self, row: Session) -> SafeString:
        """A link to them."""
        query = urlencode({"session": row.key, "agent": row.agent_id, "workspace__id__exact": row.workspace_id})
        address = reverse("admin:memory_memoryrecord_changelist")
        number = row.records_n  # type: ignore[attr-defined]
        return format_html('<a class="mx-link" href="{}?{}">{}</a>', address, query, number)

    @admin.display(description="workspace", ordering="workspace_id")
    def place(self, row: Session) -> SafeString | str:
        """Whose it is."""
        return link(Workspace, row.workspace_id)

    @admin.display(description="metadata")
    def notes(self, row: Session) -> SafeString | str:
        """What the agent said about it."""
        if not row.metadata:
            return "—"
        return format_html('<pre class="mx-pre">{}</pre>', json.dumps(row.metadata, indent=2, ensure_ascii=False))
