"""The `memory` app: records, versions, sessions, events, search."""

from django.apps import AppConfig


class MemoryConfig(AppConfig):
    """Knows nothing of review, mesh or any door."""

    name = "memory"
    verbose_name = "Memory"

    def ready(self) -> None:
        """Register the app's own consumer of events, and what it needs in the database."""
        from memory.embedding_consumer import CONSUMER
        from memory.events import register
        from metronix.database_rules import require_functions

        register(CONSUMER)
        require_functions("metronix_search_candidates", "metronix_fold_lexicon", "metronix_claim_deliveries")
