"""The decisions about memory: every door calls these and decides nothing itself."""

from memory.services.batch import ItemOutcome, store_batch
from memory.services.delete import delete_record
from memory.services.deliveries import retry_deliveries
from memory.services.facets import Facets, facets
from memory.services.history import (
    EventPage,
    HistoryEntry,
    get_version,
    record_events,
    record_history,
    undo_update,
)
from memory.services.listing import ListFilters, Page, Position, list_all, list_records
from memory.services.reading import get_record
from memory.services.sessions import Promotion, end_session, promote_records, start_session
from memory.services.status import possible_statuses, set_status
from memory.services.store import StoreOutcome, store_record
from memory.services.story import Story, record_story
from memory.services.update import UpdateOutcome, update_record

__all__ = [
    "EventPage",
    "Facets",
    "HistoryEntry",
    "ItemOutcome",
    "ListFilters",
    "Page",
    "Position",
    "Promotion",
    "StoreOutcome",
    "Story",
    "UpdateOutcome",
    "delete_record",
    "end_session",
    "facets",
    "get_record",
    "get_version",
    "list_all",
    "list_records",
    "possible_statuses",
    "promote_records",
    "record_events",
    "record_history",
    "record_story",
    "retry_deliveries",
    "set_status",
    "start_session",
    "store_batch",
    "store_record",
    "undo_update",
    "update_record",
]
