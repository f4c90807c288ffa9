"""What a workspace holds, in four fields (the metronix_status tool)."""

from __future__ import annotations

from typing import Any

from metronix.ports.embedder import EmbedderUnavailable, get_embedder
from metronix.tenancy.principal import Principal


def workspace_status(principal: Principal) -> dict[str, Any]:
    """Status, live documents, last sync (ISO 8601 or None) and the embedding model (None while it is away)."""
    total = 0
    try:
        model: str | None = get_embedder().name
    except EmbedderUnavailable:
        model = None
    return {
        "status": "healthy" if total else "initializing",
        "documents": {"total": total},
        "last_sync": None,
        "embedding_model": model,
    }
