"""Hybrid search over memory records: one pipeline, whoever asks."""

from memory.search.service import Hit, SearchOutcome, search_live, search_records

__all__ = ["Hit", "SearchOutcome", "search_live", "search_records"]
