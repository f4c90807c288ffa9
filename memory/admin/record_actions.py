"""Actions on several memories: one call of a service and one event for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from memory.models import MemoryRecord
from memory.services import delete_record, set_status
from memory.vocabulary import Status
from metronix.adminsite.confirm import confirmation
from metronix.adminsite.who import of_request
from metronix.errors import MetronixError
from metronix.tenancy.principal import Principal

MOST_AT_ONCE = 500


class BulkActions:
    """Actions of the record's admin."""

    admin_site: Any
    opts: Any

    @admin.action(description="Archive the selected memories", permissions=["change"])
    def archive_selected(self, request: HttpRequest, queryset: QuerySet[MemoryRecord]) -> None:
        """Out of every search; can be restored."""
        _each(request, queryset, "archived", lambda who, key: _move(who, key, Status.ARCHIVED))

    @admin.action(description="Restore the selected memories", permissions=["change"])
    def restore_selected(self, request: HttpRequest, queryset: QuerySet[MemoryRecord]) -> None:
        """Active again."""
        _each(request, queryset, "restored", lambda who, key: _move(who, key, Status.ACTIVE))

    @admin.action(description="Delete the selected memories…", permissions=["delete"])
    def delete_selected_records(self, request: HttpRequest, queryset: QuerySet[MemoryRecord]) -> HttpResponse | None:
        """Ask first, naming how many."""
        if request.POST.get("confirmed") == "yes":
            _each(request, queryset, "deleted", lambda who, key: delete_record(who, record_id=key, sessions_too=True))
            return None
        keys = [str(key) for key in queryset.values_list("pk", flat=True)[: MOST_AT_ONCE + 1]]
        if len(keys) > MOST_AT_ONCE:
            messages.error(request, f"At most {MOST_AT_ONCE} at once.")
            return None
        return confirmation(
            request,
            self.admin_site,
            self.opts,
            title=f"Delete {len(keys)} memor{'y' if len(keys) == 1 else 'ies'}?",
            lines=["They go with their versions and vectors. There is no way back."],
            button="Delete for good",
            back=request.get_full_path(),
            hidden=[
                ("action", "delete_selected_records"),
                ("confirmed", "yes"),
                *((ACTION_CHECKBOX_NAME, key) for key in keys),
            ],
        )


def _move(principal: Principal, record_id: str, status: Status) -> None:
    set_status(principal, record_id=record_id, status=status)


def _each(
    request: HttpRequest,
    queryset: QuerySet[MemoryRecord],
    done: str,
    act: Callable[[Principal, str], object],
) -> None:
    """Call the service for each; what is refused is counted with its reason and keeps no other from being done."""
    # In order of id: two operators with the same selection then wait for each other and never deadlock.
    rows = list(queryset.order_by("pk").values_list("pk", "workspace_id")[: MOST_AT_ONCE + 1])
    if len(rows) > MOST_AT_ONCE:
        messages.error(request, f"At most {MOST_AT_ONCE} at once.")
        return
    refused: dict[str, int] = {}
    for key, workspace_id in rows:
        try:
            act(of_request(request).at(workspace_id), str(key))
        except MetronixError as problem:
            refused[problem.message] = refused.get(problem.message, 0) + 1
    count = len(rows) - sum(refused.values())
    if count:
        messages.success(request, f"{count} {done}.")
    for reason, number in refused.items():
        messages.warning(request, f"{number} left as {'it is' if number == 1 else 'they are'}: {reason}")
