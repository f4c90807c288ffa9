"""Database connections of requests under ASGI.

Django runs each request on a thread that ends with it, so a connection kept for the next request (CONN_MAX_AGE) would
have no next request, and stay open until it is garbage. Here it is closed with the request; where METRONIX_DB_POOL is
set, closing gives it back to the pool. MCP calls run on lasting threads and keep theirs.
"""

from __future__ import annotations

from typing import Any

from django.core.handlers.asgi import ASGIHandler
from django.core.signals import request_finished
from django.db import connections


def close_with_requests() -> None:
    """Register it; again is harmless."""
    request_finished.connect(close_connections, sender=ASGIHandler, dispatch_uid="metronix.api.connections")


def close_connections(**signal: Any) -> None:
    """Close those of this thread."""
    connections.close_all()
