"""Background work of the platform itself."""

from __future__ import annotations

import logging

import redis
from celery import shared_task

from metronix.tenancy import last_used

logger = logging.getLogger(__name__)


@shared_task(name="metronix.tasks.flush_last_used")
def flush_last_used() -> int:
    """Write down which API keys were used; returns how many."""
    try:
        return last_used.flush()
    except redis.RedisError as problem:
        # The marks are still there, or gone with Redis itself; the next run tells.
        logger.warning("the use of keys was not written down: %s", problem)
        return 0
