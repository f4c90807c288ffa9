"""Pages, and cursors that cannot be forged or carried over to another list."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.core import signing

from metronix.api.inputs import Page
from metronix.errors import InvalidParams

SALT = "metronix.api.cursor"
Row = TypeVar("Row")


def page(name: str, items: list[dict[str, Any]], *, total: int, limit: int, offset: int, cursor: str | None) -> Any:
    """The reply of a list. `offset` is how many came before this page, `cursor` leads on."""
    return {
        name: items,
        "count": len(items),
        "total": total,
        "limit": limit,
        "offset": offset,
        "has_more": cursor is not None,
        "cursor": cursor,
    }


def write_cursor(about: Any, position: list[Any], given: int) -> str:
    """A cursor for the list `about` (its name, workspace and filters), after `position`, `given` items into it."""
    return signing.dumps([fingerprint(about), position, given], salt=SALT)


def read_cursor(text: str, about: Any) -> tuple[list[Any], int]:
    """(position, items given so far). Raises InvalidParams for a cursor that is not ours, or of another list."""
    try:
        list_of, position, given = signing.loads(text, salt=SALT)
    except (signing.BadSignature, ValueError, TypeError):
        raise InvalidParams("The cursor is not one of ours.", field="cursor", hint="Start without one.") from None
    if list_of != fingerprint(about):
        raise InvalidParams("The cursor belongs to a list with other filters.", field="cursor", hint="Start anew.")
    return position, given


def fingerprint(about: Any) -> str:
    """A short digest of what a list is of."""
    return hashlib.sha256(json.dumps(about, sort_keys=True, default=str).encode()).hexdigest()[:16]


def refuse_both(query: Page) -> None:
    """Offset and cursor would contradict each other. Raises InvalidParams."""
    if query.cursor is not None and query.offset:
        raise InvalidParams("offset and cursor exclude each other.", field="cursor")


def page_of(
    name: str,
    rows: Sequence[Row],
    query: Page,
    *,
    about: Any,
    key: Callable[[Row], str],
    payload: Callable[[Row], dict[str, Any]],
) -> Any:
    """A page of rows that are all at hand, in ascending order of a unique key."""
    refuse_both(query)
    start = query.offset
    if query.cursor is not None:
        position, _ = read_cursor(query.cursor, about)
        start = sum(key(row) <= position[0] for row in rows)
    shown = rows[start : start + query.limit]
    more = start + len(shown) < len(rows)
    return page(
        name,
        [payload(row) for row in shown],
        total=len(rows),
        limit=query.limit,
        offset=min(start, len(rows)) if query.cursor is not None else query.offset,
        cursor=write_cursor(about, [key(shown[-1])], start + len(shown)) if more and shown else None,
    )
