"""Where services run: a fixed set of threads, each with its own lasting database connection.

The SDK calls handlers on the event loop, outside Django's request handler, so nothing would close or check their
connections. A thread per call (`ThreadSensitiveContext`) costs a new PostgreSQL connection each time unless a pool is
configured; these threads keep theirs, and Django's request signals around each call let it be checked, returned to a
pool, or closed by age, exactly as under a threaded WSGI server.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from threading import Barrier
from typing import TypeVar

from django.conf import settings
from django.core.signals import request_finished, request_started
from django.db import connections

T = TypeVar("T")


@cache
def executor() -> ThreadPoolExecutor:
    """The threads of this process; made at the first call, so that a forked worker makes its own."""
    return ThreadPoolExecutor(settings.METRONIX_MCP_THREADS, thread_name_prefix="mcp")


async def in_thread(work: Callable[[], T]) -> T:
    """Run synchronous ORM code; a call that is cancelled before its turn is not run at all."""
    context = contextvars.copy_context()
    return await asyncio.get_running_loop().run_in_executor(executor(), context.run, bracketed, work)


def bracketed(work: Callable[[], T]) -> T:
    """Run `work` between Django's request signals."""
    request_started.send(sender=bracketed)
    try:
        return work()
    finally:
        request_finished.send(sender=bracketed)


def close_threads() -> None:
    """Finish what is running, then end the threads and their connections; the next call makes new ones."""
    if not executor.cache_info().currsize:
        return
    threads = executor()
    executor.cache_clear()
    together = Barrier(settings.METRONIX_MCP_THREADS)  # holds each thread, so that none closes twice and none is missed

    def close() -> None:
        together.wait()
        connections.close_all()

    wait([threads.submit(close) for _ in range(settings.METRONIX_MCP_THREADS)])
    threads.shutdown()
