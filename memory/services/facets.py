"""Which values occur: what a filter can be set to."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, F, Func

from memory.models import MemoryRecord
from metronix.tenancy.context import tenant
from metronix.tenancy.principal import Principal

MOST_VALUES = 200


@dataclass(frozen=True)
class Facets:
    """Value -> number of live records within reach, most frequent first, at most 200 each."""

    kinds: dict[str, int]
    source_types: dict[str, int]
    tags: dict[str, int]
    scopes: dict[str, int]
    agents: dict[str, int]
    statuses: dict[str, int]


def facets(principal: Principal) -> Facets:
    """Count the values of live records; `statuses` counts all records."""
    with tenant(principal):
        reach = MemoryRecord.objects.visible_to(principal).order_by()
        live = reach.live()

        def count(field: str) -> dict[str, int]:
            rows = live.values_list(field).annotate(number=Count("id")).order_by("-number", field)[:MOST_VALUES]
            return dict(rows)

        tags = (
            live.annotate(tag=Func(F("tags"), function="unnest"))
            .values_list("tag")
            .annotate(number=Count("id"))
            .order_by("-number", "tag")[:MOST_VALUES]
        )
        statuses = reach.values_list("status").annotate(number=Count("id")).order_by("-number")
        return Facets(
            kinds=count("kind"),
            source_types=count("source_type"),
            tags=dict(tags),
            scopes=count("scope"),
            agents=count("agent_id"),
            statuses=dict(statuses),
        )
