"""Counting attempts in Redis, and in this process while Redis is away.

Without Redis the check goes on with what this process alone has seen: nobody is locked out by the outage, and guessing
does not become free, only as many times cheaper as there are web processes. The log says so.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from dataclasses import dataclass
from functools import cache
from typing import Any

import redis
from django.conf import settings

from metronix.errors import RateLimited

logger = logging.getLogger(__name__)

PREFIX = "metronix:attempts:"
TIMEOUT_SECONDS = 0.5
MOST_LOCAL_KEYS = 10_000
# One step: a counter that lost its expiry between two commands would lock an account for ever.
COUNT = """
local number = redis.call('INCR', KEYS[1])
if number == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {number, redis.call('PTTL', KEYS[1])}
"""


@dataclass(frozen=True)
class Limit:
    """At most `attempts` within `window` seconds, counted from the first of them."""

    attempts: int
    window: int


def attempt(kind: str, subject: str, limit: Limit) -> None:
    """Count an attempt before it is looked at, so that many at once cannot all slip by. Raises RateLimited."""
    key = key_of(kind, subject)
    try:
        number, left = _client().eval(COUNT, 1, key, limit.window * 1000)
    except redis.RedisError as problem:
        logger.warning("Redis is away (%s): login attempts are counted by this process alone", type(problem).__name__)
        number, left = _local.count(key, limit.window)
    if number > limit.attempts:
        raise RateLimited(
            "Too many attempts.",
            hint="Wait before trying again.",
            details={"retry_after": max(int(left) // 1000, 0) + 1},
        )


def forgive(kind: str, subject: str) -> None:
    """Forget the attempts of one who has shown to be who they say they are."""
    key = key_of(kind, subject)
    _local.forget(key)
    try:
        _client().delete(key)
    except redis.RedisError as problem:
        logger.warning("Redis is away (%s): attempts are forgotten when their window ends", type(problem).__name__)


def key_of(kind: str, subject: str) -> str:
    """A key that does not spell out whose it is."""
    return f"{PREFIX}{kind}:{hashlib.sha256(subject.encode('utf-8', 'replace')).hexdigest()}"


@cache
def _client() -> Any:
    return redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=TIMEOUT_SECONDS, socket_connect_timeout=TIMEOUT_SECONDS
    )


class _Local:
    """The same counters in memory, bounded."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[str, tuple[int, float]] = {}

    def count(self, key: str, window: int) -> tuple[int, float]:
        """(attempts so far, milliseconds left)."""
        now = time.monotonic()
        with self._lock:
            if len(self._counts) >= MOST_LOCAL_KEYS:
                self._counts = {k: v for k, v in self._counts.items() if v[1] > now}
            number, end = self._counts.get(key, (0, 0.0))
            if end <= now:
                number, end = 0, now + window
            if key in self._counts or len(self._counts) < MOST_LOCAL_KEYS:
                self._counts[key] = (number + 1, end)
            return number + 1, (end - now) * 1000

    def forget(self, key: str) -> None:
        """Start anew."""
        with self._lock:
            self._counts.pop(key, None)


_local = _Local()
