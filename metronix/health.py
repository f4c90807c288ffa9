"""`/health`: the process answers. `/ready`: what it depends on answers too."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse

from metronix import __version__
from metronix.ports.embedder import EmbedderUnavailable, get_embedder

PROBE_SECONDS = 1.0


def health(request: HttpRequest) -> JsonResponse:
    """200 as long as the process serves; asks nobody else."""
    return JsonResponse({"status": "ok", "version": __version__})


def ready(request: HttpRequest) -> JsonResponse:
    """200 with each dependency's state; 503 when PostgreSQL is down, without which nothing works.

    Redis down or the embedder away is reported as degraded: writes succeed and are caught up with later.
    """
    checks = {name: _state(probe) for name, probe in PROBES.items()}
    usable = checks["postgresql"] == "ok"
    status = "ready" if all(state == "ok" for state in checks.values()) else "degraded" if usable else "unavailable"
    return JsonResponse({"status": status, "checks": checks}, status=200 if usable else 503)


def _state(probe: Callable[[], None]) -> str:
    try:
        probe()
    except (DatabaseError, redis.RedisError, EmbedderUnavailable, OSError):
        return "down"
    return "ok"


def _postgresql() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


@cache
def _redis_client() -> Any:
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=PROBE_SECONDS, socket_connect_timeout=PROBE_SECONDS)


def _redis() -> None:
    _redis_client().ping()


def _embedder() -> None:
    get_embedder()


PROBES: dict[str, Callable[[], None]] = {"postgresql": _postgresql, "redis": _redis, "embedder": _embedder}
