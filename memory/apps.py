"""The `memory` app: records, versions, sessions, events, search."""

from django.apps import AppConfig


class MemoryConfig(AppConfig):
    """Knows nothing of review, mesh or any door."""

    name = "memory"
    verbose_name = "Memory"
