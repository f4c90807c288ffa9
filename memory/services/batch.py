"""Storing many records in one call: in order, each with its own outcome."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from memory.models import MemoryRecord
from memory.services.drafts import Draft, draft
from memory.services.preparation import content_hash, prepare
from memory.services.store import find_live, insert_all, require_agent
from metronix.errors import InvalidParams, MetronixError
from metronix.tenancy.access import require_role
from metronix.tenancy.context import tenant
from metronix.tenancy.principal import Principal, Role

LARGEST_BATCH = 100
ITEM_FIELDS = frozenset({"content", "tags"})
STEP = 25
"""Items embedded and committed together: one commit for each would cost a flush to disk for each."""


@dataclass(frozen=True)
class ItemOutcome:
    """What became of one item: a record (new or `deduped`), or the error that kept it out."""

    record: MemoryRecord | None = None
    deduped: bool = False
    error: MetronixError | None = None


def store_batch(
    principal: Principal,
    *,
    items: list[dict[str, Any]],
    on_progress: Callable[[int, int], None] | None = None,
    **common: Any,
) -> list[ItemOutcome]:
    """Store up to 100 `{content, tags?}` objects; `common` are the other keywords of `drafts.draft`.

    A bad item is that item's error and keeps no other out. `on_progress(done, total)` is called after each step.
    Errors of the whole call: InvalidParams (size of the batch, a common field), Forbidden.
    """
    require_role(principal, Role.EDITOR)
    require_agent(principal)
    if not 1 <= len(items) <= LARGEST_BATCH:
        raise InvalidParams(f"records must hold 1 to {LARGEST_BATCH} objects.", field="records")
    draft(content="x", **common)  # a bad common field fails the call, not each item
    outcomes: list[ItemOutcome] = []
    for start in range(0, len(items), STEP):
        outcomes += _store_step(principal, [_checked(item, common) for item in items[start : start + STEP]])
        if on_progress is not None:
            on_progress(len(outcomes), len(items))
    return outcomes


def _checked(item: Any, common: dict[str, Any]) -> Draft | MetronixError:
    try:
        if not isinstance(item, dict):
            raise InvalidParams("A record must be an object with content and, if wanted, tags.", field="records")
        unknown = sorted(set(item) - ITEM_FIELDS)
        if unknown:
            raise InvalidParams(f"Unknown field {unknown[0]!r} in a record.", field=str(unknown[0]))
        if "content" not in item:
            raise InvalidParams("content is required.", field="content")
        return draft(content=item["content"], tags=item.get("tags"), **common)
    except InvalidParams as problem:
        return problem


def store_drafts(principal: Principal, drafts: list[Draft]) -> list[ItemOutcome]:
    """Embed and store checked drafts in one transaction; equal contents among them are stored once."""
    digests = [content_hash(wanted.content) for wanted in drafts]
    with tenant(principal):
        known = {
            (digest, wanted.session_key): find_live(principal, wanted, digest)
            for digest, wanted in zip(digests, drafts, strict=True)
        }
    first: dict[tuple[str, str, str | None], int] = {}
    fresh: list[int] = []
    for index, (wanted, digest) in enumerate(zip(drafts, digests, strict=True)):
        partition = (digest, wanted.scope.value, wanted.session_key if wanted.scope == "session" else None)
        if known[digest, wanted.session_key] is None and partition not in first:
            first[partition] = index
            fresh.append(index)
    prepared = prepare(
        principal.workspace_id,
        [drafts[index].content for index in fresh],
        [drafts[index].created_at for index in fresh],
    )
    with tenant(principal):
        stored = insert_all(principal, [(drafts[i], p) for i, p in zip(fresh, prepared, strict=True)]) if fresh else []
    by_index = dict(zip(fresh, stored, strict=True))
    outcomes: list[ItemOutcome] = []
    for index, (wanted, digest) in enumerate(zip(drafts, digests, strict=True)):
        if index in by_index:
            outcomes.append(ItemOutcome(by_index[index].record, by_index[index].deduped))
            continue
        partition = (digest, wanted.scope.value, wanted.session_key if wanted.scope == "session" else None)
        record = known[digest, wanted.session_key] or by_index[first[partition]].record
        outcomes.append(ItemOutcome(record, deduped=True))
    return outcomes


def _store_step(principal: Principal, step: list[Draft | MetronixError]) -> list[ItemOutcome]:
    good = [entry for entry in step if isinstance(entry, Draft)]
    stored = iter(store_drafts(principal, good) if good else [])
    return [ItemOutcome(error=entry) if isinstance(entry, MetronixError) else next(stored) for entry in step]
