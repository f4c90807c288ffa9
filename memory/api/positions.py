"""The place in a listing that a cursor stands for."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from memory.services.listing import Position
from metronix.api.paging import read_cursor
from metronix.errors import InvalidParams


def position(cursor: str, about: Any) -> tuple[Position, int]:
    """The place a cursor stands for. Raises InvalidParams."""
    place, given = read_cursor(cursor, about)
    try:
        return Position(datetime.fromisoformat(place[0]), UUID(place[1])), int(given)
    except (ValueError, IndexError, TypeError):
        raise InvalidParams("The cursor is not one of ours.", field="cursor") from None
