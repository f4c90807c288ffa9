"""Telling the worker that there is something to do: soon or not at all, and never at the caller's cost."""

from __future__ import annotations

import logging
from functools import lru_cache

from kombu import Connection
from kombu.exceptions import OperationalError
from kombu.pools import producers

from metronix.celery import app

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 0.2
"""Longest wait for the broker. The sweeper finds every delivery whose message was not sent."""


@lru_cache(maxsize=1)
def _connection() -> Connection:
    """A connection of its own: the worker's must wait longer on its socket than a request may."""
    options = dict(app.conf.broker_transport_options or {})
    options |= {
        "socket_timeout": PATIENCE_SECONDS,
        "socket_connect_timeout": PATIENCE_SECONDS,
        "retry_on_timeout": False,
        "max_retries": 0,
    }
    return Connection(app.conf.broker_url, transport_options=options)


def publish(consumers: list[str]) -> None:
    """Ask the worker to look at these consumers' deliveries; a broker that does not answer is only logged."""
    try:
        with producers[_connection()].acquire(block=True, timeout=PATIENCE_SECONDS) as producer:
            for name in consumers:
                app.send_task(
                    "memory.tasks.deliver", args=[name], producer=producer, retry=False, expires=60, ignore_result=True
                )
    except (OperationalError, OSError, TimeoutError) as problem:
        logger.warning("broker not reached, the sweeper will pick up %s: %s", ", ".join(consumers), problem)
