"""The search box of lists: the platform's own search over everything a person may see in one workspace."""

from __future__ import annotations

from collections.abc import Sequence

from memory import fields
from memory.search.request import LARGEST_TOP_K, SearchRequest
from memory.search.service import SearchOutcome, run
from memory.vocabulary import Scope, Status
from metronix.tenancy.principal import Principal


def best_matches(
    principal: Principal,
    *,
    query: str,
    statuses: Sequence[str] = (),
    scope: str | None = None,
    tags: Sequence[str] = (),
) -> SearchOutcome:
    """The fifty best by meaning and words, in any status (also put away, quarantined, expired) unless some are named.

    Errors: InvalidParams.
    """
    wanted = tuple(fields.member("status", status, Status).value for status in statuses)
    return run(
        principal,
        SearchRequest(
            query=fields.text("query", query, longest=fields.QUERY_LENGTH),
            top_k=LARGEST_TOP_K,
            statuses=wanted or None,
            expired=True,
            scope=None if scope is None else fields.member("scope", scope, Scope).value,
            tags=tuple(fields.tags(tags)),
        ),
    )
