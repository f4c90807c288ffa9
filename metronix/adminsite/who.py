"""The person behind a request of the admin, and how principals are shown."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from metronix.tenancy.models import ApiKey, User
from metronix.tenancy.policy import admin_principal
from metronix.tenancy.principal import Principal

DOORS = {
    "mcp_caller": "MCP",
    "rest_caller": "REST",
    "operator": "admin",
    "command": "command line",
    "worker": "background work",
}


def person(user: Any) -> Principal:
    """The principal of a logged-in user as granted at this moment; looked up once per request.

    The user object lives as long as its request, so that a withdrawn grant ends access with the next one.
    """
    known = getattr(user, "_metronix_principal", None)
    if known is None:
        known = admin_principal(user.pk, superuser=user.is_superuser)
        user._metronix_principal = known
    return known


def of_request(request: HttpRequest) -> Principal:
    """The principal that a page's services are called with; place it with `.at(workspace_id)`."""
    return person(request.user)


def door(actor: str) -> str:
    """An event's actor in words."""
    return DOORS.get(actor, actor.replace("_", " "))


def names(principals: Iterable[str]) -> dict[str, str]:
    """Principal ids to what people call them, in two queries: e-mail addresses and key labels."""
    found: dict[str, dict[uuid.UUID, str]] = {"user": {}, "key": {}}
    for principal in set(principals):
        kind, _, number = principal.partition(":")
        if kind in found and (parsed := _uuid(number)):
            found[kind][parsed] = principal
    named: dict[str, str] = {}
    if found["user"]:
        rows = User.objects.filter(id__in=found["user"]).values_list("id", "display_name", "email")
        named |= {found["user"][number]: display or email for number, display, email in rows}
    if found["key"]:
        keys = ApiKey.objects.filter(id__in=found["key"]).only("prefix", "label")
        named |= {found["key"][row.id]: f"key {row.label or row.prefix}" for row in keys}
    return named


def principal_link(principal: str, named: dict[str, str] | None = None) -> SafeString | str:
    """A principal as a link to the user or key; plain text for others."""
    kind, _, number = principal.partition(":")
    page = {"user": "admin:metronix_user_change", "key": "admin:metronix_apikey_change"}.get(kind)
    if page is None or _uuid(number) is None:
        return principal or "—"
    text = (named or {}).get(principal) or f"{kind} {number[:8]}…"
    return format_html('<a class="mx-link" href="{}" title="{}">{}</a>', reverse(page, args=[number]), principal, text)


def _uuid(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text)
    except ValueError:
        return None
