"""A page that says what will happen and asks; its answer is a POST."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.admin import AdminSite
from django.db.models.options import Options
from django.http import HttpRequest
from django.template.response import TemplateResponse


def confirmation(
    request: HttpRequest,
    site: AdminSite,
    opts: Options[Any],
    *,
    title: str,
    lines: Sequence[str],
    button: str,
    back: str,
    hidden: Sequence[tuple[str, str]] = (),
) -> TemplateResponse:
    """Ask for `button`; `lines` say what it does, `back` is where no leads, `hidden` goes with the answer."""
    return TemplateResponse(
        request,
        "admin/confirm.html",
        {
            **site.each_context(request),
            "opts": opts,
            "title": title,
            "lines": lines,
            "button": button,
            "back": back,
            "hidden": hidden,
        },
    )
