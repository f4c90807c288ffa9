"""Filters of the lists of this app."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.contrib.admin import ModelAdmin
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.http import HttpRequest
from unfold.contrib.filters.admin import RadioFilter

from memory.models import MemoryRecord
from memory.querysets import unexpired
from metronix.adminsite.filters import ExactTextFilter

AGES = {
    "1": ("stored in the last 24 hours", "gte"),
    "7": ("in the last 7 days", "gte"),
    "30": ("in the last 30 days", "gte"),
    "90": ("more than 90 days ago", "lt"),
}


class AgeFilter(RadioFilter):
    """By the time of storing."""

    title = "age"
    parameter_name = "age"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        """Days to words."""
        return [(days, words) for days, (words, _) in AGES.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[MemoryRecord]) -> QuerySet[MemoryRecord]:
        """By the database's clock."""
        days = self.value()
        if days not in AGES:
            return queryset
        return queryset.filter(**{f"stored_at__{AGES[days][1]}": Now() - timedelta(days=int(days))})


class ExpiryFilter(RadioFilter):
    """Expired records are out of every default search, but still there to be looked at."""

    title = "expiry"
    parameter_name = "expiry"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        """Both sides."""
        return [("current", "current"), ("expired", "expired")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[MemoryRecord]) -> QuerySet[MemoryRecord]:
        """As searches decide it."""
        match self.value():
            case "current":
                return queryset.filter(unexpired())
            case "expired":
                return queryset.filter(Q(ttl_expires_at__lte=Now()) | Q(valid_until__lte=Now()))
        return queryset


class TagFilter(ExactTextFilter):
    """Records that have the tag, whatever characters it is made of."""

    title = "tag"
    parameter_name = "tag"

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """By the index of tags."""
        value = self.value()
        return queryset.filter(tags__contains=[value]) if value and "\0" not in value else queryset


class SessionFilter(ExactTextFilter):
    """Rows of the session that callers name so."""

    title = "session"
    parameter_name = "session"
    lookup = "session_key"


class RecordFilter(ExactTextFilter):
    """Events of one record."""

    title = "record id"
    parameter_name = "record"

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Nothing for what is no id."""
        value = (self.value() or "").strip()
        if not value:
            return queryset
        try:
            return queryset.filter(record_id=UUID(value))
        except ValueError:
            return queryset.none()
