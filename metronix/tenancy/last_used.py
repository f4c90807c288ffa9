"""When each API key was last used: noted in Redis by whoever checks a key, written to the table by beat.

A call must not wait for a row lock on its key, nor fail for want of this number: a mark costs one message to Redis
per key, process and `NOTED_AGAIN_SECONDS`, and while Redis does not answer nothing is sent at all.
"""

from __future__ import annotations

import logging
import threading
import time
from datetime import UTC, datetime
from functools import cache
from itertools import groupby
from typing import Any

import redis
from django.conf import settings
from django.db.models import Q

from metronix.tenancy.context import workspaces_visible
from metronix.tenancy.models import ApiKey

logger = logging.getLogger(__name__)

MARKS = "metronix:key_last_used"
"""A hash of "workspace:key id" to seconds since 1970."""
TAKEN = f"{MARKS}:flushing"
NOTED_AGAIN_SECONDS = 15.0
REST_SECONDS = 30.0
"""How long Redis is left alone after it did not answer."""
PATIENCE_SECONDS = 0.1
MOST_REMEMBERED = 10_000


class Memory:
    """What this process has noted lately."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.noted: dict[str, float] = {}
        self.resting_until = 0.0

    def is_due(self, mark: str, now: float) -> bool:
        """True once per mark and period, and never while Redis rests."""
        with self.lock:
            if now < self.resting_until or now - self.noted.get(mark, -NOTED_AGAIN_SECONDS) < NOTED_AGAIN_SECONDS:
                return False
            if len(self.noted) >= MOST_REMEMBERED:
                self.noted.clear()
            self.noted[mark] = now
            return True

    def rest(self, now: float) -> None:
        """Leave Redis alone for a while."""
        with self.lock:
            self.resting_until = now + REST_SECONDS


memory = Memory()


def note_use(workspace_id: str, key_id: str) -> None:
    """The key opened something just now. Never raises, never waits longer than PATIENCE_SECONDS."""
    mark = f"{workspace_id}:{key_id}"
    now = time.monotonic()
    if not memory.is_due(mark, now):
        return
    try:
        _client().hset(MARKS, mark, int(time.time()))
    except (redis.RedisError, OSError) as problem:
        memory.rest(now)
        logger.warning("the use of a key was not noted: %s", problem)


def flush() -> int:
    """Write the collected marks to the table; returns how many keys were marked.

    What is taken is renamed first, so that marks set meanwhile stay, and removed last: a flush that dies is repeated.
    """
    client = _client()
    if not client.exists(TAKEN):
        try:
            client.rename(MARKS, TAKEN)
        except redis.ResponseError:  # no such key: nothing was used
            return 0
    marks = sorted((mark.decode().partition(":")[::2], int(at)) for mark, at in client.hgetall(TAKEN).items())
    written = 0
    for workspace_id, group in groupby(marks, key=lambda entry: entry[0][0]):
        with workspaces_visible(workspace_id):
            for (_, key_id), at in group:
                moment = datetime.fromtimestamp(at, UTC)
                earlier = Q(last_used_at=None) | Q(last_used_at__lt=moment)
                written += ApiKey.objects.filter(earlier, id=key_id).update(last_used_at=moment)
    client.delete(TAKEN)
    return written


@cache
def _client() -> Any:
    return redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=PATIENCE_SECONDS, socket_connect_timeout=PATIENCE_SECONDS
    )
