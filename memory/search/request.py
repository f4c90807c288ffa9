"""What a search asks for, after its fields were checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from memory import fields
from memory.vocabulary import ALL, Category, Scope
from metronix.errors import InvalidParams

LARGEST_TOP_K = 50


@dataclass(frozen=True)
class SearchRequest:
    """A checked search. `statuses` None means every status; `expired` lets expired records in; `as_of` is aware."""

    query: str
    top_k: int
    statuses: tuple[str, ...] | None
    expired: bool = False
    scope: str | None = None
    tags: tuple[str, ...] = ()
    session_key: str | None = None
    category: str | None = None
    project: str | None = None
    layer: str | None = None
    as_of: datetime | None = None


def search_request(
    *,
    query: str,
    top_k: int,
    statuses: Sequence[str],
    scope: str | None = None,
    tags: Sequence[str] | None = None,
    session_id: str | None = None,
    category: str | None = None,
    as_of: datetime | None = None,
    longest_query: int = fields.QUERY_LENGTH,
) -> SearchRequest:
    """Check a search's fields. Errors: InvalidParams naming the field."""
    if isinstance(top_k, bool) or not isinstance(top_k, int) or not 1 <= top_k <= LARGEST_TOP_K:
        raise InvalidParams(f"top_k must be a whole number from 1 to {LARGEST_TOP_K}.", field="top_k")
    if as_of is not None and timezone.is_naive(as_of):
        raise InvalidParams("as_of needs an offset, such as Z or +02:00.", field="as_of")
    everything = ALL in statuses
    return SearchRequest(
        query=fields.text("query", query, longest=longest_query),
        top_k=top_k,
        statuses=None if everything else tuple(statuses),
        expired=everything,
        scope=None if scope is None else fields.member("scope", scope, Scope).value,
        tags=tuple(fields.tags(tags)),
        session_key=fields.session_id(session_id, Scope.GLOBAL),
        category=None if category is None else fields.member("category_filter", category, Category).value,
        as_of=None if as_of is None else fields.storable_time("as_of", as_of),
    )
