"""The pieces of metronix.adminsite.display for templates."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from metronix.adminsite import display

register = template.Library()
register.simple_tag(display.chip, name="chip")
register.simple_tag(display.when, name="when")


@register.simple_tag
def memory_link(record: Any) -> SafeString:
    """A memory as the beginning of its content and its status, leading to its page."""
    address = display.page_of(type(record), record.pk)
    text, state = display.excerpt(record.content), display.chip(record.status)
    return format_html('<a class="mx-link" href="{}">{}</a> {}', address, text, state)
