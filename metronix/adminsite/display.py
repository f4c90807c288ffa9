"""Small pieces of pages: times, labels, links. All values are escaped."""

from __future__ import annotations

from datetime import datetime

from django.contrib.admin.utils import quote
from django.db.models import Model
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

TONES = {
    "active": "good",
    "ready": "good",
    "candidate": "info",
    "stale": "warning",
    "pending": "warning",
    "conflicted": "warning",
    "review_needed": "warning",
    "quarantined": "bad",
    "failed": "bad",
    "revoked": "bad",
    "expired": "bad",
}
STEPS = (
    (60, 1, "s"),
    (3_600, 60, "min"),
    (86_400, 3_600, "h"),
    (60 * 86_400, 86_400, "d"),
    (730 * 86_400, 2_629_800, "mo"),
)
EXCERPT = 140


def relative(moment: datetime, now: datetime) -> str:
    """The distance in the largest fitting unit: "just now", "5 min ago", "in 3 d"."""
    seconds = (now - moment).total_seconds()
    size = abs(seconds)
    if size < 5:
        return "just now"
    for limit, unit, name in STEPS:
        if size < limit:
            text = f"{int(size // unit)} {name}"
            break
    else:
        text = f"{int(size // 31_557_600)} y"
    return f"{text} ago" if seconds > 0 else f"in {text}"


def when(moment: datetime | None) -> SafeString | str:
    """A time as people read it, with the exact one on hover and for machines."""
    if moment is None:
        return "—"
    return format_html(
        '<time class="mx-nowrap" datetime="{}" title="{}">{}</time>',
        moment.isoformat(),
        moment.strftime("%Y-%m-%d %H:%M:%S UTC"),
        relative(moment, timezone.now()),
    )


def chip(text: str, tone: str | None = None) -> SafeString:
    """A label; its colour repeats what the word says."""
    return format_html(
        '<span class="mx-chip mx-{}">{}</span>', tone or TONES.get(text, "plain"), text.replace("_", " ")
    )


def page_of(model: type[Model], key: object) -> str:
    """The address of a row's page."""
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_change", args=[quote(str(key))])


def link(model: type[Model], key: object, text: str | None = None) -> SafeString | str:
    """A link to a row by its id; a dash for none."""
    if key is None or key == "":
        return "—"
    shown = str(key) if text is None else text
    return format_html('<a class="mx-link" href="{}" title="{}">{}</a>', page_of(model, key), key, shown)


def short(key: object) -> str:
    """The first characters of an id, enough to tell rows of a page apart."""
    return f"{str(key)[:8]}…"


def excerpt(text: str) -> SafeString:
    """The beginning of a text on one line, in its own direction of writing."""
    line = " ".join(text[: EXCERPT * 2].split())
    shown = line if len(line) <= EXCERPT else f"{line[: EXCERPT - 1]}…"
    return format_html('<bdi class="mx-excerpt">{}</bdi>', shown or "(white space)")
