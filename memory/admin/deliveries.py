"""Background work that waits or has failed; what is done is not here any more."""

from __future__ import annotations

from itertools import groupby

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import ChoicesCheckboxFilter, FieldTextFilter

from memory.models import Delivery, MachineEvent, MemoryRecord
from memory.services import retry_deliveries
from metronix.adminsite.base import BaseAdmin
from metronix.adminsite.display import chip, link, short, when
from metronix.adminsite.filters import WORKSPACE
from metronix.adminsite.who import of_request
from metronix.tenancy import policy
from metronix.tenancy.models import Workspace

SHOWN = ("id", "consumer", "condition", "attempts", "reason", "next_try", "happened", "about", "place")


@admin.register(Delivery)
class DeliveryAdmin(BaseAdmin):
    """Editors may ask for another try."""

    list_display = ("consumer", "condition", "attempts", "reason", "next_try", "happened", "about", "place")
    list_filter = (WORKSPACE, ("state", ChoicesCheckboxFilter), ("consumer", FieldTextFilter))
    search_fields = ("error", "=event__record_id")
    search_help_text = "Search by error, or the id of a record"
    list_select_related = ("event",)
    ordering = ("state", "available_at", "id")
    fields = SHOWN
    readonly_fields = SHOWN
    actions = ("try_again",)

    def has_retry_permission(self, request: HttpRequest) -> bool:
        """Asked for the action."""
        return policy.may_edit(of_request(request))

    @admin.action(description="Try the selected ones again now", permissions=["retry"])
    def try_again(self, request: HttpRequest, queryset: QuerySet[Delivery]) -> None:
        """Through the service, workspace by workspace."""
        rows = sorted(queryset.values_list("workspace_id", "id"))
        count = sum(
            retry_deliveries(of_request(request).at(workspace), delivery_ids=[number for _, number in group])
            for workspace, group in groupby(rows, key=lambda row: row[0])
        )
        messages.success(request, f"{count} will be tried again within seconds.")

    @admin.display(description="state", ordering="state")
    def condition(self, row: Delivery) -> SafeString:
        """Waiting, or given up."""
        return chip(row.state)

    @admin.display(description="reason")
    def reason(self, row: Delivery) -> SafeString | str:
        """Why the last attempt failed."""
        return format_html('<bdi class="mx-excerpt">{}</bdi>', row.error) if row.error else "—"

    @admin.display(description="next try", ordering="available_at")
    def next_try(self, row: Delivery) -> SafeString | str:
        """When."""
        return when(row.available_at) if row.state == "pending" else "none"

    @admin.display(description="event")
    def happened(self, row: Delivery) -> SafeString | str:
        """What it is about."""
        return link(MachineEvent, row.event_id, row.event.event_type.replace("_", " "))

    @admin.display(description="memory")
    def about(self, row: Delivery) -> SafeString | str:
        """The record behind the event."""
        return link(MemoryRecord, row.event.record_id, short(row.event.record_id)) if row.event.record_id else "—"

    @admin.display(description="workspace", ordering="workspace_id")
    def place(self, row: Delivery) -> SafeString | str:
        """Where."""
        return link(Workspace, row.workspace_id)
