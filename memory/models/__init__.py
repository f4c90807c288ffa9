"""Models of the `memory` app."""

from memory.models.embedding import Embedding, EmbeddingModel
from memory.models.entity import Entity, EntityMention
from memory.models.event import Delivery, MachineEvent
from memory.models.lexicon import LexiconChange, LexiconTerm, LexiconTotal
from memory.models.record import MemoryRecord
from memory.models.retrieval import Retrieval
from memory.models.session import Session
from memory.models.version import RecordVersion

__all__ = [
    "Delivery",
    "Embedding",
    "EmbeddingModel",
    "Entity",
    "EntityMention",
    "LexiconChange",
    "LexiconTerm",
    "LexiconTotal",
    "MachineEvent",
    "MemoryRecord",
    "RecordVersion",
    "Retrieval",
    "Session",
]
