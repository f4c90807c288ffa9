"""Storing many records in one call: in order, each with its own outcome."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from memory.models import MemoryRecord
from memory.partition import Partition
from memory.services.drafts import Draft, draft
from memory.services.preparation import Prepared, content_hash, prepare
from memory.services.store import StoreOutcome, in_present_workspace, insert_all, require_agent
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
            name = str(unknown[0])[:100]
            raise InvalidParams(f"Unknown field {name!r} in a record.", field=name)
        if "content" not in item:
            raise InvalidParams("content is required.", field="content")
        return draft(content=item["content"], tags=item.get("tags"), **common)
    except InvalidParams as problem:
        return problem


def store_drafts(principal: Principal, drafts: list[Draft]) -> list[ItemOutcome]:
    """Embed and store checked drafts in one transaction; equal contents of one partition are stored once."""
    keys = [(wanted.partition(principal), content_hash(wanted.content)) for wanted in drafts]
    with tenant(principal):
        found = _known(keys)
    fresh: dict[tuple[Partition, str], Draft] = {}
    for key, wanted in zip(keys, drafts, strict=True):
        if key not in found:
            fresh.setdefault(key, wanted)
    prepared = prepare(
        principal.workspace_id,
        [wanted.content for wanted in fresh.values()],
        [wanted.created_at for wanted in fresh.values()],
    )
    rows = list(zip(fresh.values(), prepared, strict=True))
    stored = (
        dict(zip(fresh, in_present_workspace(principal, lambda: _insert(principal, rows)), strict=True)) if rows else {}
    )
    outcomes: list[ItemOutcome] = []
    for key in keys:
        if key in found:
            outcomes.append(ItemOutcome(found[key], deduped=True))
        else:
            outcomes.append(ItemOutcome(stored[key].record, stored[key].deduped))
            found[key] = stored[key].record  # whoever says the same later in the batch
    return outcomes


def _known(keys: list[tuple[Partition, str]]) -> dict[tuple[Partition, str], MemoryRecord]:
    """The live records with these contents: one query for each partition, which is one for the whole batch."""
    parts: dict[Partition, list[str]] = {}
    for partition, digest in keys:
        parts.setdefault(partition, []).append(digest)
    return {
        (partition, record.content_hash): record
        for partition, digests in parts.items()
        for record in partition.records(digests).live().defer("term_weights", "term_ids")
    }


def _insert(principal: Principal, rows: list[tuple[Draft, Prepared]]) -> list[StoreOutcome]:
    with tenant(principal):
        return insert_all(principal, rows)


def _store_step(principal: Principal, step: list[Draft | MetronixError]) -> list[ItemOutcome]:
    good = [entry for entry in step if isinstance(entry, Draft)]
    stored = iter(store_drafts(principal, good) if good else [])
    return [ItemOutcome(error=entry) if isinstance(entry, MetronixError) else next(stored) for entry in step]
