"""The decisions about memory: every door calls these and decides nothing itself."""

from memory.services.batch import ItemOutcome, store_batch
from memory.services.delete import delete_record
from memory.services.listing import Page, list_records
from memory.services.reading import get_record
from memory.services.store import StoreOutcome, store_record
from memory.services.update import UpdateOutcome, update_record

__all__ = [
    "ItemOutcome",
    "Page",
    "StoreOutcome",
    "UpdateOutcome",
    "delete_record",
    "get_record",
    "list_records",
    "store_batch",
    "store_record",
    "update_record",
]
