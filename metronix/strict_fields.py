"""The input types that tools and routes share, with their published bounds."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, WithJsonSchema

MAX_INT = 2**31 - 1
"""Upper bound of counts and offsets, so that no number overflows a database integer."""

_RFC3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,6})?([Zz]|[+-]\d\d:\d\d)")


def storable(value: str) -> str:
    """Refuses NUL, which PostgreSQL cannot store."""
    if "\x00" in value:
        raise ValueError("must not contain the NUL character")
    return value


def not_blank(value: str) -> str:
    """Refuses white space alone, which a minimum length lets through."""
    if not value.strip():
        raise ValueError("must not be blank")
    return storable(value)


EARLIEST_YEAR, LATEST_YEAR = 1900, 9000
"""Beyond these PostgreSQL stores what Python cannot read back, depending on the zone."""


def parse_time(value: str) -> datetime:
    """An RFC 3339 time; one without an offset would mean different instants on different servers."""
    if _RFC3339.fullmatch(value):
        with suppress(ValueError, OverflowError):  # of the right form, but no such day or offset
            moment = datetime.fromisoformat(value.upper()).astimezone(UTC)
            if EARLIEST_YEAR <= moment.year <= LATEST_YEAR:
                return moment
    raise ValueError("must be an RFC 3339 date and time with an offset, such as 2026-05-01T12:00:00Z")


Status = Literal["active", "candidate", "stale", "superseded", "archived", "conflicted", "review_needed", "all"]
Scope = Literal["global", "per_agent", "session"]
Kind = Literal["fact", "preference", "pinned"]

AgentId = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9._-]{1,64}$",
        min_length=1,
        max_length=64,
        description="Who is remembering: 1 to 64 of A-Z a-z 0-9 . _ -; the same value as the X-Agent-Id header.",
    ),
]
Content = Annotated[str, Field(min_length=1, max_length=32_768), AfterValidator(not_blank)]
Tag = Annotated[str, Field(min_length=1, max_length=64), AfterValidator(not_blank)]
Tags = Annotated[list[Tag], Field(max_length=32)]
Importance = Annotated[float, Field(ge=0, le=1)]
SourceType = Annotated[str, Field(max_length=64), AfterValidator(storable)]
SessionId = Annotated[str, Field(min_length=1, max_length=128), AfterValidator(not_blank)]
RecordId = Annotated[str, Field(min_length=1, max_length=256), AfterValidator(not_blank)]
Query = Annotated[str, Field(min_length=1, max_length=2_048), AfterValidator(not_blank)]
Statuses = Annotated[list[Status], Field(min_length=1, max_length=16)]
Offset = Annotated[int, Field(ge=0, le=MAX_INT)]
Time = Annotated[str, AfterValidator(parse_time), WithJsonSchema({"type": "string", "format": "date-time"})]
"""Published and sent as text; the handler receives an aware datetime."""
