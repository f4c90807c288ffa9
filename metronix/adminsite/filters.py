"""Filters of lists."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.contrib.filters.admin import AutocompleteSelectFilter, TextFilter

WORKSPACE = ("workspace", AutocompleteSelectFilter)
WORKSPACE_PARAMETER = "workspace__id__exact"


class ExactTextFilter(TextFilter):
    """One value typed in, matched exactly; subclasses name title, parameter_name and the lookup."""

    lookup = ""

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Everything while nothing is typed."""
        value = self.value()
        return queryset.filter(**{self.lookup: value}) if value and "\0" not in value else queryset


class AgentFilter(ExactTextFilter):
    """Rows of one agent."""

    title = "agent"
    parameter_name = "agent"
    lookup = "agent_id"
