"""Workspaces: looked at by everyone granted, changed by administrators."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import quote
from django.db.models import Count
from django.db.models.query import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from metronix.adminsite.base import ServiceAdmin
from metronix.adminsite.confirm import confirmation
from metronix.adminsite.display import chip, when
from metronix.adminsite.who import of_request
from metronix.tenancy import policy
from metronix.tenancy.models import Workspace
from metronix.tenancy.services import create_workspace, delete_workspace, get_workspace, update_workspace


@admin.register(Workspace)
class WorkspaceAdmin(ServiceAdmin):
    """Deleting asks twice, as it takes every row of the workspace along."""

    list_display = ("id", "name", "state", "agent_count", "key_count", "created")
    list_filter = ("is_active",)
    search_fields = ("id", "name")
    search_help_text = "Search by id or name"
    ordering = ("id",)
    fieldsets = ((None, {"fields": ("id", "name", "description", "is_active")}), ("Settings", {"fields": ("config",)}))
    change_form_outer_after_template = "admin/metronix/workspace/more.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Workspace]:
        """With the counts that the list shows."""
        rows = super().get_queryset(request)
        return rows.annotate(agents_n=Count("agents", distinct=True), keys_n=Count("api_keys", distinct=True))

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Those who may enter all of them, a new one included."""
        actor = of_request(request)
        return policy.may_administer(actor) and policy.may_enter_all(actor)

    def get_readonly_fields(self, request: HttpRequest, obj: Workspace | None = None) -> tuple[str, ...]:
        """The id is in every row, key and URL: it never changes. A new workspace is active."""
        return ("id",) if obj else ("is_active",)

    def save_model(self, request: HttpRequest, obj: Workspace, form: Any, change: bool) -> None:
        """Through the services."""
        data = form.cleaned_data
        given = {"name": data["name"], "description": data["description"], "config": data["config"] or {}}
        if change:
            update_workspace(of_request(request), workspace_id=obj.id, is_active=data["is_active"], **given)
        else:
            create_workspace(of_request(request), workspace_id=data["id"], **given)

    def get_urls(self) -> list[URLPattern]:
        """Our own deletion instead of the stock one, which would list every row."""
        view = self.admin_site.admin_view(self.delete_all_view)
        return [path("<path:object_id>/delete-all/", view, name="metronix_workspace_delete_all"), *super().get_urls()]

    def delete_all_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask, then delete."""
        actor = of_request(request)
        policy.require_administrator(actor)
        row = get_workspace(actor, workspace_id=object_id)
        if request.method == "POST":
            delete_workspace(actor, workspace_id=row.id)
            messages.success(request, f"The workspace {row.id} is gone with everything in it.")
            return HttpResponseRedirect(reverse("admin:metronix_workspace_changelist"))
        return confirmation(
            request,
            self.admin_site,
            self.opts,
            title=f"Delete the workspace {row.id}?",
            lines=[
                "All its memories with their versions and vectors, its sessions, events, agents, keys and grants go.",
                "There is no way back. To only close it, clear its tick “is active” instead.",
            ],
            button="Delete everything in it",
            back=reverse("admin:metronix_workspace_change", args=[quote(row.id)]),
        )

    @admin.display(description="state", ordering="is_active")
    def state(self, row: Workspace) -> SafeString:
        """Whether it answers."""
        return chip("active") if row.is_active else chip("closed", "plain")

    @admin.display(description="agents", ordering="agents_n")
    def agent_count(self, row: Any) -> SafeString:
        """A link to its agents."""
        address = reverse("admin:metronix_agent_changelist")
        return format_html('<a class="mx-link" href="{}?workspace__id__exact={}">{}</a>', address, row.id, row.agents_n)

    @admin.display(description="keys", ordering="keys_n")
    def key_count(self, row: Any) -> int:
        """Keys ever issued for it."""
        return row.keys_n

    @admin.display(description="created", ordering="created_at")
    def created(self, row: Workspace) -> SafeString | str:
        """When it was made."""
        return when(row.created_at)
