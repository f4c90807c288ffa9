"""A transaction that PostgreSQL broke off to end a deadlock is simply run again: the other one has gone through."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from django.db import OperationalError, connection
from psycopg.errors import DeadlockDetected

logger = logging.getLogger(__name__)

T = TypeVar("T")
TRIES = 3


def again_after_deadlock(work: Callable[[], T]) -> T:
    """Run a whole transaction, up to three times; inside another one a deadlock is the caller's to handle."""
    for attempt in range(1, TRIES + 1):
        try:
            return work()
        except OperationalError as problem:
            if not isinstance(problem.__cause__, DeadlockDetected) or connection.in_atomic_block or attempt == TRIES:
                raise
            logger.info("deadlock, running the transaction again")
    raise AssertionError("unreachable: the last try returns or raises")
