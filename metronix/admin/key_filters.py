"""Filters of the list of keys."""

from __future__ import annotations

from django.contrib.admin import ModelAdmin
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.http import HttpRequest
from unfold.contrib.filters.admin import RadioFilter

from metronix.tenancy.models import ApiKey


class StateFilter(RadioFilter):
    """Whether a key still opens anything."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        """The three states."""
        return [("active", "active"), ("revoked", "revoked"), ("expired", "expired")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> QuerySet[ApiKey]:
        """By the database's clock, as the look-up of a key."""
        match self.value():
            case "active":
                return queryset.filter(Q(expires_at=None) | Q(expires_at__gt=Now()), revoked_at=None)
            case "revoked":
                return queryset.filter(revoked_at__isnull=False)
            case "expired":
                return queryset.filter(revoked_at=None, expires_at__lte=Now())
        return queryset
