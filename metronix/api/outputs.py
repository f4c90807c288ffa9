"""Reply models that all routes share; they document, the payloads are built by `presentation` functions."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from pydantic import BaseModel, WithJsonSchema

Moment = Annotated[str, WithJsonSchema({"type": "string", "format": "date-time"})]


class FieldProblem(BaseModel):
    """One wrong field."""

    field: str
    problem: str


class Problem(BaseModel):
    """Every error; `field` and `problems` come with a wrong field, `hint` says what to do."""

    detail: str
    code: str
    request_id: str
    hint: str = ""
    field: str | None = None
    problems: list[FieldProblem] = []


class Listed(BaseModel):
    """The paging fields of every list. `cursor` leads to the next page, null on the last."""

    count: int
    total: int
    limit: int
    offset: int
    has_more: bool
    cursor: str | None


def iso(value: datetime | None) -> str | None:
    """ISO 8601 in UTC with its offset."""
    return None if value is None else value.astimezone(UTC).isoformat()
