"""The embedder port: models that turn text into vectors, loaded when first asked for."""

from __future__ import annotations

from .base import MAX_WINDOW_TOKENS, Embedder, EmbedderTimeout, EmbedderUnavailable
from .calibration import Calibration
from .deadline import call_within, embed_query_within, embed_within
from .registry import embedder_named, get_embedder, set_embedder_factory
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
    "embedder_named",
    "get_embedder",
    "set_embedder_factory",
    "split_windows",
]
