"""ETag and If-Match: a record's `revision`, which every change of the row raises."""

from __future__ import annotations

import re
from typing import Any

from memory.models import MemoryRecord
from memory.services import get_record
from metronix.errors import Stale
from metronix.tenancy.principal import Principal

REVISION = re.compile(r'"?([0-9]{1,9})"?', re.ASCII)
IF_MATCH = {"If-Match": "Only if the record still has this ETag; else 412."}


def etag(record: MemoryRecord) -> str:
    """Strong: the revision stands for every byte of the row."""
    return f'"{record.revision}"'


def not_modified(headers: Any, record: MemoryRecord) -> bool:
    """True when the caller has this revision already (If-None-Match)."""
    return etag(record) in tags(headers.get("If-None-Match", ""))


def expected_revision(headers: Any, principal: Principal, record_id: str) -> int | None:
    """The revision that If-Match asks for; None where anything will do.

    The service compares it with the locked row, so that of two writers with the same ETag one fails. Raises Stale for
    a tag that no revision could have, NotFound.
    """
    wanted = tags(headers.get("If-Match", ""))
    if not wanted or "*" in wanted:
        return None
    revisions = {int(found[1]) for tag in wanted if (found := REVISION.fullmatch(tag))}
    if len(revisions) == 1:
        return revisions.pop()
    # Several: the caller can live with any of them, so the present one will do if it is among them.
    present = get_record(principal, record_id=record_id).revision
    if present not in revisions:
        raise Stale("The record has another revision.", details={"revision": present})
    return present


def tags(header: str) -> set[str]:
    """The entity tags of a header. Weak ones count: proxies that compress make ours weak, the number says enough."""
    return {part.strip().removeprefix("W/") for part in header.split(",")} - {""}
