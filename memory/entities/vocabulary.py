"""What an entity is: a kind, a key that is equal for equal things, and the name as it was written."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass
from enum import StrEnum

from memory.terms.analysis import fold

LONGEST = 200
"""Characters of a key or a name; what is longer (a data URL) names nothing that a person would ask for."""


class EntityKind(StrEnum):
    """What sort of thing a text names."""

    SPEAKER = "speaker"
    NAME = "name"
    DATE = "date"
    TICKET = "ticket"
    IDENTIFIER = "identifier"
    EMAIL = "email"
    URL = "url"
    HANDLE = "handle"
    TAG = "tag"


@dataclass(frozen=True, slots=True)
class Entity:
    """One thing named. `name` takes no part in equality."""

    kind: EntityKind
    key: str
    name: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Entity) and (self.kind, self.key) == (other.kind, other.key)

    def __hash__(self) -> int:
        return hash((self.kind, self.key))


def entity(kind: EntityKind, name: str) -> Entity:
    """The entity written as `name`: lower case, accents and runs of white space make no difference."""
    return Entity(kind, " ".join(fold(name).split())[:LONGEST], name[:LONGEST])


def entity_id(workspace_id: str, kind: EntityKind, key: str) -> uuid.UUID:
    """The row's id, known without asking the database: a store writes its mentions in one statement.

    A hash of workspace, kind and key as a version 8 UUID (RFC 9562: 122 bits of the implementer's choice).
    """
    digest = bytearray(
        hashlib.blake2b(f"{workspace_id}\0{kind.value}\0{key}".encode(), digest_size=16, person=b"entity").digest()
    )
    digest[6] = (digest[6] & 0x0F) | 0x80
    digest[8] = (digest[8] & 0x3F) | 0x80
    return uuid.UUID(bytes=bytes(digest))
