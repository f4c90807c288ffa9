"""Memories: the list with its search, and each one's page."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.db.models.functions import Left
from django.http import HttpRequest
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import ChoicesCheckboxFilter

from memory.admin.filters import AgeFilter, ExpiryFilter, SessionFilter, TagFilter
from memory.admin.record_actions import BulkActions
from memory.admin.record_search import search
from memory.admin.record_views import RecordViews
from memory.models import MemoryRecord
from memory.vocabulary import EmbeddingStatus, Kind
from metronix.adminsite.base import BaseAdmin
from metronix.adminsite.display import EXCERPT, chip, excerpt, link, page_of, when
from metronix.adminsite.filters import WORKSPACE, AgentFilter
from metronix.adminsite.who import of_request
from metronix.tenancy import policy
from metronix.tenancy.models import Workspace

MOST_TAGS = 4


@admin.register(MemoryRecord)
class RecordAdmin(BulkActions, RecordViews, BaseAdmin):
    """Everyone granted looks; editors change, through the services."""

    list_display = ("says", "state", "agent", "labels", "changed", "place")
    list_filter = (
        WORKSPACE,
        ("status", ChoicesCheckboxFilter),
        AgentFilter,
        TagFilter,
        AgeFilter,
        ("scope", ChoicesCheckboxFilter),
        ("kind", ChoicesCheckboxFilter),
        ("embedding_status", ChoicesCheckboxFilter),
        ExpiryFilter,
        SessionFilter,
    )
    search_fields = ("content",)  # shows the box; `get_search_results` decides
    search_help_text = "What should it be about? Or an id"
    list_before_template = "admin/memory/memoryrecord/search_note.html"
    ordering = ("-created_at", "-id")
    actions = ("archive_selected", "restore_selected", "delete_selected_records")

    def get_queryset(self, request: HttpRequest) -> QuerySet[MemoryRecord]:
        """Rows as the list needs them: the beginning of each content, no vectors of terms."""
        rows = super().get_queryset(request).defer("content", "metadata", "term_ids", "term_weights")
        return rows.annotate(beginning=Left("content", EXCERPT * 2))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[MemoryRecord], search_term: str
    ) -> tuple[QuerySet[MemoryRecord], bool]:
        """The platform's search instead of a pattern match."""
        if not search_term.strip():
            return queryset, False
        found, request.search_note = search(request, queryset, search_term)  # type: ignore[attr-defined]
        return found, False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Editors: the operators of this site."""
        return policy.may_edit(of_request(request))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """As for changing."""
        return policy.may_edit(of_request(request))

    def get_urls(self) -> list[URLPattern]:
        """What a record's page can do, each at an address of its own."""
        wrap = self.admin_site.admin_view
        return [
            path("<uuid:object_id>/edit/", wrap(self.edit_view), name="memory_memoryrecord_edit"),
            path("<uuid:object_id>/status/", wrap(self.status_view), name="memory_memoryrecord_status"),
            path("<uuid:object_id>/undo/", wrap(self.undo_view), name="memory_memoryrecord_undo"),
            *super().get_urls(),
        ]

    @admin.display(description="memory")
    def says(self, row: Any) -> SafeString:
        """The beginning of its content."""
        return format_html('<a class="mx-link" href="{}">{}</a>', page_of(MemoryRecord, row.pk), excerpt(row.beginning))

    @admin.display(description="status", ordering="status")
    def state(self, row: MemoryRecord) -> SafeString:
        """Its place in its life, and what is out of the ordinary: no vector, or a kind that does not age."""
        extra = [row.embedding_status] if row.embedding_status != EmbeddingStatus.READY else []
        extra += [row.kind] if row.kind != Kind.FACT else []
        return format_html_join(" ", "{}", ((chip(word),) for word in (row.status, *extra)))

    @admin.display(description="agent", ordering="agent_id")
    def agent(self, row: MemoryRecord) -> SafeString:
        """A link to what else the agent remembers; below it, who reads this one."""
        query = urlencode({"agent": row.agent_id, "workspace__id__exact": row.workspace_id})
        return format_html(
            '<span><a class="mx-link mx-name" href="{}?{}">{}</a><br><span class="mx-quiet">{}</span></span>',
            reverse("admin:memory_memoryrecord_changelist"),
            query,
            row.agent_id,
            row.scope.replace("_", " "),
        )

    @admin.display(description="tags")
    def labels(self, row: MemoryRecord) -> SafeString | str:
        """The first few."""
        shown = format_html_join(" ", '<bdi class="mx-tag">{}</bdi>', ((tag,) for tag in row.tags[:MOST_TAGS]))
        return format_html("{} +{}", shown, len(row.tags) - MOST_TAGS) if len(row.tags) > MOST_TAGS else shown or "—"

    @admin.display(description="changed", ordering="updated_at")
    def changed(self, row: MemoryRecord) -> SafeString | str:
        """Last change of the row."""
        return when(row.updated_at)

    @admin.display(description="workspace", ordering="workspace_id")
    def place(self, row: MemoryRecord) -> SafeString | str:
        """Whose it is."""
        return link(Workspace, row.workspace_id)
