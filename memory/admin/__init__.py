"""Admin pages of memories, sessions, events and deliveries (Django looks for them here)."""

from memory.admin import deliveries, events, records, sessions

__all__ = ["deliveries", "events", "records", "sessions"]
