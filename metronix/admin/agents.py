"""Agents as they showed up: registered by their first write, looked at here."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString

from metronix.adminsite.base import BaseAdmin
from metronix.adminsite.display import link, when
from metronix.adminsite.filters import WORKSPACE
from metronix.tenancy.models import Agent, Workspace


@admin.register(Agent)
class AgentAdmin(BaseAdmin):
    """Each leads to its memories."""

    list_display = ("agent_id", "name", "place", "memories", "seen")
    list_filter = (WORKSPACE,)
    search_fields = ("agent_id", "name")
    search_help_text = "Search by id or name"
    ordering = ("agent_id", "workspace_id")
    fields = ("agent_id", "name", "place", "memories", "seen")
    readonly_fields = fields

    def has_add_permission(self, request: HttpRequest) -> bool:
        """They make themselves known."""
        return False

    @admin.display(description="workspace", ordering="workspace_id")
    def place(self, row: Agent) -> SafeString | str:
        """Where it lives."""
        return link(Workspace, row.workspace_id)

    @admin.display(description="memories")
    def memories(self, row: Agent) -> SafeString:
        """A link to its records; counting them for each line would cost more than it tells."""
        query = urlencode({"agent": row.agent_id, "workspace__id__exact": row.workspace_id})
        address = reverse("admin:memory_memoryrecord_changelist")
        return format_html('<a class="mx-link" href="{}?{}">show</a>', address, query)

    @admin.display(description="first seen", ordering="created_at")
    def seen(self, row: Agent) -> SafeString | str:
        """Its first write."""
        return when(row.created_at)
