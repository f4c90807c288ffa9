"""Which embedding model the platform uses: the bundled one unless EMBEDDER_URL names a server (docs/embedding.md)."""

from __future__ import annotations

import json

from django.core.exceptions import ImproperlyConfigured

from metronix import env
from metronix.ports.remote_options import RemoteOptions


def configured_embedder() -> RemoteOptions | None:
    """The remote embedder of the environment, or None for the bundled one."""
    given = {
        "url": env.text("EMBEDDER_URL"),
        "model": env.text("EMBEDDER_MODEL"),
        "api_key": env.text("EMBEDDER_API_KEY"),
        "label": env.text("EMBEDDER_LABEL", "remote"),
        "query_prefix": env.text("EMBEDDER_QUERY_PREFIX"),
        "passage_prefix": env.text("EMBEDDER_PASSAGE_PREFIX"),
        "input_types": env.boolean("EMBEDDER_INPUT_TYPES", False),
        "dimensions": env.integer("EMBEDDER_DIMENSIONS", 0, minimum=0, maximum=2_000),
        "window_tokens": env.integer("EMBEDDER_WINDOW_TOKENS", 400, minimum=32, maximum=8_192),
        "batch": env.integer("EMBEDDER_BATCH", 32, minimum=1, maximum=2_048),
        "timeout": env.decimal("EMBEDDER_TIMEOUT", 60.0, minimum=0.1),
        "connect_timeout": env.decimal("EMBEDDER_CONNECT_TIMEOUT", 3.0, minimum=0.1),
    }
    if not given["url"]:
        return None
    return _options("EMBEDDER_URL and EMBEDDER_MODEL", given)


def previous_embedder() -> RemoteOptions | None:
    """The remote embedder in use before a change of model, so that it goes on answering until the change is done."""
    text = env.text("EMBEDDER_PREVIOUS")
    if not text:
        return None
    try:
        given = json.loads(text)
    except ValueError:
        given = None
    if not isinstance(given, dict):
        raise ImproperlyConfigured('EMBEDDER_PREVIOUS must be a JSON object such as {"url": "...", "model": "..."}.')
    return _options("EMBEDDER_PREVIOUS", given)


def _options(name: str, given: dict[str, object]) -> RemoteOptions:
    try:
        return RemoteOptions.from_mapping(given)
    except ValueError as problem:
        raise ImproperlyConfigured(f"{name}: {problem}.") from None
