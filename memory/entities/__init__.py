"""Entities without a language model: what a text names, and what a question names."""

from memory.entities.extract import entities_of
from memory.entities.vocabulary import Entity, EntityKind, entity_id

__all__ = ["Entity", "EntityKind", "entities_of", "entity_id"]
