"""Embedding with a time limit.

A call into a C library or a socket cannot be interrupted from Python, so it runs in a
thread that the caller stops waiting for. The threads are few and daemonic: a stuck call
holds one of them, never the process's exit, and never creates more. When all are stuck,
callers get their ``EmbedderTimeout`` after their own seconds, as if the model were down.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import ContextVar
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .base import Embedder, EmbedderTimeout

T = TypeVar("T")

_ends_at: ContextVar[float | None] = ContextVar("embedder_deadline", default=None)

#: Two calls keep two cores busy (the engine is parallel itself); four leave two spare
#: when calls are stuck.
MAX_THREADS = 4


class _Pool:
    """At most ``size`` daemon threads, started when there is work and no idle one."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._jobs: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._threads = 0
        self._pending = 0  # queued or running

    def submit(self, work: Callable[[], T]) -> Future[T]:
        future: Future[T] = Future()
        with self._lock:
            self._pending += 1
            start = self._pending > self._threads and self._threads < self._size
            self._threads += start
        if start:
            threading.Thread(target=self._run, name="embedder", daemon=True).start()
        self._jobs.put((future, work))
        return future

    def _run(self) -> None:
        while True:
            future, work = self._jobs.get()
            # False when the caller gave up while the job was queued: nothing to do.
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(work())
                except BaseException as error:  # noqa: BLE001 - handed to the caller
                    future.set_exception(error)
            with self._lock:
                self._pending -= 1
            # Or this thread would keep the last texts and vectors alive while idle.
            del future, work


_pool = _Pool(MAX_THREADS)


def _after_fork() -> None:
    # Threads do not survive a fork; the child starts its own.
    global _pool
    _pool = _Pool(MAX_THREADS)


os.register_at_fork(after_in_child=_after_fork)


def call_within(work: Callable[[], T], seconds: float) -> T:
    """Run ``work`` in the shared threads and return its result, or raise its exception.

    ``EmbedderTimeout`` after ``seconds``, waiting for a free thread included; work not yet
    begun is then dropped, work under way ends unseen. ``seconds <= 0`` times out at once
    without starting anything.
    """
    if seconds <= 0:
        raise EmbedderTimeout("no time left for the embedder")
    began = time.monotonic()
    future = _pool.submit(lambda: _told(work, began + seconds))
    try:
        return future.result(timeout=seconds)
    except TimeoutError:
        if future.done() and not future.cancelled():
            # The work itself raised a TimeoutError, or ended in this very instant.
            return future.result()
        future.cancel()
        waited = time.monotonic() - began
        raise EmbedderTimeout(f"the embedder did not answer within {waited:.1f} s") from None


def seconds_left() -> float | None:
    """What is left of the time of the call being served; None when it has no limit.

    For models that can stop by themselves (a request over a network), so that no thread works for a caller who has
    long gone.
    """
    end = _ends_at.get()
    return None if end is None else end - time.monotonic()


def _told(work: Callable[[], T], end: float) -> T:
    token = _ends_at.set(end)
    try:
        return work()
    finally:
        _ends_at.reset(token)


def embed_within(embedder: Embedder, texts: list[str], seconds: float) -> NDArray[np.float32]:
    """``embedder.embed_passages(texts)``, shape ``(len(texts), dimensions)``, in time.

    ``EmbedderTimeout`` after ``seconds``; other exceptions are the embedder's own.
    """
    return call_within(lambda: embedder.embed_passages(texts), seconds)


def embed_query_within(embedder: Embedder, text: str, seconds: float) -> NDArray[np.float32]:
    """``embedder.embed_query(text)``, shape ``(dimensions,)``, in time; errors as above."""
    return call_within(lambda: embedder.embed_query(text), seconds)
