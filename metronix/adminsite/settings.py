"""django-unfold's settings: names, navigation, colours."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse_lazy

TITLE = "Metronix"


def styles(request: HttpRequest) -> str:
    """Our own style sheet."""
    return static("metronix/admin.css")


def icon(request: HttpRequest) -> str:
    """The mark in the browser's tab."""
    return static("metronix/icon.svg")


def may_administer(request: HttpRequest) -> bool:
    """Whether the person sees the pages about people and keys."""
    from metronix.adminsite.who import of_request
    from metronix.tenancy import policy

    return policy.may_administer(of_request(request))


def _item(title: str, icon: str, page: str, **more: Any) -> dict[str, Any]:
    return {"title": title, "icon": icon, "link": reverse_lazy(f"admin:{page}"), **more}


UNFOLD: dict[str, Any] = {
    "SITE_TITLE": TITLE,
    "SITE_HEADER": TITLE,
    "SITE_SUBHEADER": "memory for agents",
    "SITE_SYMBOL": "neurology",
    "SITE_URL": None,
    "SHOW_VIEW_ON_SITE": False,
    "SHOW_HISTORY": False,
    "DASHBOARD_CALLBACK": "memory.admin.dashboard.context",
    "STYLES": [styles],
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": icon}],
    "BORDER_RADIUS": "6px",
    "SIDEBAR": {
        "show_search": False,
        "navigation": [
            {"title": "", "items": [_item("Overview", "monitoring", "index")]},
            {
                "title": "Memory",
                "items": [
                    _item("Records", "database", "memory_memoryrecord_changelist"),
                    _item("Sessions", "forum", "memory_session_changelist"),
                    _item("Agents", "smart_toy", "metronix_agent_changelist"),
                ],
            },
            {
                "title": "Access",
                "separator": True,
                "items": [
                    _item("Workspaces", "workspaces", "metronix_workspace_changelist"),
                    _item("Users", "group", "metronix_user_changelist", permission=may_administer),
                    _item("API keys", "key", "metronix_apikey_changelist", permission=may_administer),
                ],
            },
            {
                "title": "Operations",
                "separator": True,
                "items": [
                    _item("Events", "history", "memory_machineevent_changelist"),
                    _item("Deliveries", "outbox", "memory_delivery_changelist"),
                ],
            },
        ],
    },
}
