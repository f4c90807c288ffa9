"""The audit trail."""

from __future__ import annotations

import json

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import FieldTextFilter

from memory.admin.filters import RecordFilter, SessionFilter
from memory.models import MachineEvent, MemoryRecord
from metronix.adminsite.base import BaseAdmin
from metronix.adminsite.display import link, page_of, short, when
from metronix.adminsite.filters import WORKSPACE, AgentFilter
from metronix.adminsite.who import door, principal_link
from metronix.tenancy.models import Workspace

SHOWN = ("id", "at", "event_type", "through", "who", "agent_id", "about", "session", "place", "details", "request_id")


@admin.register(MachineEvent)
class EventAdmin(BaseAdmin):
    """Append-only, by the database."""

    list_display = ("happened", "at", "through", "who", "agent_id", "about", "session", "place")
    list_filter = (
        WORKSPACE,
        ("event_type", FieldTextFilter),
        ("actor", FieldTextFilter),
        AgentFilter,
        RecordFilter,
        SessionFilter,
    )
    search_fields = ("=record_id", "=principal", "=session_key", "=request_id")
    search_help_text = "The id of a record, session, principal or request"
    date_hierarchy = None
    ordering = ("-created_at", "-id")
    fields = SHOWN
    readonly_fields = SHOWN

    @admin.display(description="event", ordering="event_type")
    def happened(self, row: MachineEvent) -> SafeString:
        """What."""
        words = row.event_type.replace("_", " ")
        return format_html('<a class="mx-link mx-nowrap" href="{}">{}</a>', page_of(MachineEvent, row.pk), words)

    @admin.display(description="when", ordering="created_at")
    def at(self, row: MachineEvent) -> SafeString | str:
        """When."""
        return when(row.created_at)

    @admin.display(description="door", ordering="actor")
    def through(self, row: MachineEvent) -> str:
        """Which door it came through."""
        return door(row.actor)

    @admin.display(description="who", ordering="principal")
    def who(self, row: MachineEvent) -> SafeString | str:
        """On whose credential."""
        return principal_link(row.principal)

    @admin.display(description="memory")
    def about(self, row: MachineEvent) -> SafeString | str:
        """The record, which may be gone."""
        return link(MemoryRecord, row.record_id, short(row.record_id)) if row.record_id else "—"

    @admin.display(description="session", ordering="session_key")
    def session(self, row: MachineEvent) -> SafeString | str:
        """A link to the sessions of that id."""
        if not row.session_key:
            return "—"
        query = urlencode({"q": row.session_key, "workspace__id__exact": row.workspace_id})
        address = reverse("admin:memory_session_changelist")
        return format_html('<a class="mx-link mx-break" href="{}?{}">{}</a>', address, query, row.session_key)

    @admin.display(description="workspace", ordering="workspace_id")
    def place(self, row: MachineEvent) -> SafeString | str:
        """Where."""
        return link(Workspace, row.workspace_id)

    @admin.display(description="details")
    def details(self, row: MachineEvent) -> SafeString | str:
        """Ids, statuses and field names; never content."""
        if not row.data:
            return "—"
        return format_html('<pre class="mx-pre">{}</pre>', json.dumps(row.data, indent=2, ensure_ascii=False))
