"""The `memory` app: records, versions, sessions, events, search."""

from django.apps import AppConfig


class MemoryConfig(AppConfig):
    """Knows nothing of review, mesh or any door."""

    name = "memory"
    verbose_name = "Memory"

    def ready(self) -> None:
        """Register the app's own consumer of events."""
        from memory.embedding_consumer import CONSUMER
        from memory.events import register

        register(CONSUMER)
