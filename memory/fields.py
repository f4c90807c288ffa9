"""What each field of a record may hold. One check per field, for every door; each error names the field."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TypeVar

from django.utils import timezone

from memory.vocabulary import ALL, PUBLIC, Scope
from metronix.errors import InvalidParams
from metronix.strict_fields import EARLIEST_YEAR, LATEST_YEAR

CONTENT_LENGTH = 32_768
QUERY_LENGTH = 2_048
TAGS = 32
TAG_LENGTH = 64
METADATA_BYTES = 32 * 1024
SESSION_ID_LENGTH = 128
SOURCE_TYPE_LENGTH = 64
PROJECT_LENGTH = 128
METADATA_DEPTH = 32
METADATA_DIGITS = 40
LONGEST_TTL_SECONDS = 100 * 365 * 86_400

Member = TypeVar("Member", bound=StrEnum)

_SURROGATE = re.compile("[\ud800-\udfff]")


def text(field: str, value: Any, *, longest: int, blank: bool = False) -> str:
    """A string that PostgreSQL and UTF-8 can carry, at most `longest` characters, with more than white space."""
    if not isinstance(value, str):
        raise InvalidParams(f"{field} must be a string.", field=field)
    if "\0" in value:
        raise InvalidParams(f"{field} contains a NUL character.", field=field, hint="Remove U+0000 from the text.")
    if _SURROGATE.search(value):
        raise InvalidParams(f"{field} contains a lone surrogate.", field=field, hint="Send valid Unicode.")
    if len(value) > longest:
        raise InvalidParams(
            f"{field} has {len(value):,} characters; at most {longest:,} are allowed.",
            field=field,
            hint="Shorten it, or split it into several.",
            details={"length": len(value), "maximum": longest},
        )
    if not blank and not value.strip():
        raise InvalidParams(f"{field} must not be empty.", field=field)
    return value


def content(value: Any) -> str:
    """Kept exactly as sent: no trimming, no normalisation."""
    return text("content", value, longest=CONTENT_LENGTH)


def tags(value: Any) -> list[str]:
    """At most 32 tags of 1 to 64 characters, matched exactly; repeated ones count once."""
    if value is None:
        return []
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise InvalidParams("tags must be a list of strings.", field="tags", hint='Write ["a"], not "a".')
    found = list(dict.fromkeys(text("tags", tag, longest=TAG_LENGTH) for tag in value))
    if len(found) > TAGS:
        raise InvalidParams(f"tags has {len(found)} entries; at most {TAGS} are allowed.", field="tags")
    return found


def fraction(field: str, value: Any) -> float:
    """A number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or not 0 <= value <= 1:
        raise InvalidParams(f"{field} must be a number from 0 to 1.", field=field)
    return float(value)


def member(field: str, value: Any, enum: type[Member]) -> Member:
    """One of an enumeration's values."""
    try:
        return enum(value)
    except ValueError:
        allowed = ", ".join(item.value for item in enum)
        raise InvalidParams(f"{field} must be one of {allowed}.", field=field) from None


def session_id(value: Any, scope: Scope) -> str | None:
    """Any string of 1 to 128 characters; required for session records."""
    if value is None:
        if scope is Scope.SESSION:
            raise InvalidParams("session_id is required when scope is session.", field="session_id")
        return None
    return text("session_id", value, longest=SESSION_ID_LENGTH)


def metadata(value: Any) -> dict[str, Any]:
    """Any JSON object up to 32 KiB of UTF-8, without NUL or lone surrogates anywhere in it."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InvalidParams("metadata must be an object.", field="metadata")
    try:
        written = json.dumps(value, ensure_ascii=False, allow_nan=False)
        size = len(written.encode("utf-8"))
    except UnicodeEncodeError:
        raise InvalidParams("metadata contains a lone surrogate.", field="metadata") from None
    except (TypeError, ValueError, RecursionError):
        raise InvalidParams("metadata must be plain JSON (no NaN, no infinity).", field="metadata") from None
    if size > METADATA_BYTES:
        raise InvalidParams(
            f"metadata is {size:,} bytes as JSON; at most {METADATA_BYTES:,} are allowed.", field="metadata"
        )
    fault = _fault(value, METADATA_DEPTH)
    if fault:
        raise InvalidParams(f"metadata {fault}.", field="metadata")
    return value


def _fault(value: Any, depth: int) -> str | None:
    """What jsonb or a client could not carry: NUL in a string or key, numbers of very many digits, endless nesting.

    jsonb has no exponents, so that 1e308 would come back as 309 digits; and replies nest deeper than requests, while
    clients' parsers stop at some 200 levels.
    """
    if isinstance(value, str):
        return "contains a NUL character" if "\0" in value else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        long = value != 0 and not 10.0**-METADATA_DIGITS <= abs(value) < 10**METADATA_DIGITS
        return f"contains a number of more than {METADATA_DIGITS} digits" if long else None
    if not isinstance(value, dict | list):
        return None
    if depth == 0:
        return f"is nested more than {METADATA_DEPTH} levels deep"
    parts = [part for pair in value.items() for part in pair] if isinstance(value, dict) else value
    return next((fault for part in parts if (fault := _fault(part, depth - 1))), None)


def ttl_seconds(value: Any) -> int | None:
    """Whole seconds of life, at least one."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= LONGEST_TTL_SECONDS:
        raise InvalidParams(
            f"ttl_seconds must be a whole number from 1 to {LONGEST_TTL_SECONDS:,}.", field="ttl_seconds"
        )
    return value


def future(field: str, value: datetime | None) -> datetime | None:
    """A moment with an offset that has not passed."""
    if value is None:
        return None
    if timezone.is_naive(value):
        raise InvalidParams(f"{field} needs an offset, such as Z or +02:00.", field=field)
    value = storable_time(field, value)
    if value <= timezone.now():
        raise InvalidParams(f"{field} lies in the past.", field=field)
    return value


def storable_time(field: str, value: datetime) -> datetime:
    """The moment in UTC, in a year that both PostgreSQL and Python can read back whatever the zone."""
    try:
        value = value.astimezone(UTC)
    except (OverflowError, ValueError):
        raise InvalidParams(f"{field} is out of range.", field=field) from None
    if not EARLIEST_YEAR <= value.year <= LATEST_YEAR:
        raise InvalidParams(f"{field} must lie between the years {EARLIEST_YEAR} and {LATEST_YEAR}.", field=field)
    return value


def statuses(value: Sequence[str] | None, default: Sequence[str]) -> list[str]:
    """Lifecycle statuses of a filter; "all" lifts the filter; an empty list is an error."""
    if value is None:
        return list(default)
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise InvalidParams("status must be a list of statuses.", field="status")
    if not value:
        raise InvalidParams('status must not be empty; leave it out, or pass ["all"].', field="status")
    unknown = [item for item in value if item not in PUBLIC and item != ALL]
    if unknown:
        raise InvalidParams(
            f"status {unknown[0]!r} is unknown; it must be among {', '.join((*PUBLIC, ALL))}.", field="status"
        )
    return list(dict.fromkeys(value))
