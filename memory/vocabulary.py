"""The enumerations of a memory record, as the contracts publish them, and the status machine."""

from __future__ import annotations

from enum import StrEnum


class Scope(StrEnum):
    """Who reads a record: every agent of the workspace, its own agent, or its own agent within one session."""

    GLOBAL = "global"
    PER_AGENT = "per_agent"
    SESSION = "session"


class Kind(StrEnum):
    """Facts age; preferences and pinned records do not."""

    FACT = "fact"
    PREFERENCE = "preference"
    PINNED = "pinned"


class Category(StrEnum):
    """Argos' categories."""

    PERSONAL_FACT = "personal_fact"
    PREFERENCE = "preference"
    INSIGHT = "insight"
    EVENT = "event"
    RELATIONSHIP = "relationship"
    GOAL = "goal"
    CONTEXT_NOTE = "context_note"
    NEGATIVE = "negative"


class Status(StrEnum):
    """Where a record is in its life. `quarantined` is never shown to models."""

    CANDIDATE = "candidate"
    ACTIVE = "active"
    STALE = "stale"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"
    CONFLICTED = "conflicted"
    REVIEW_NEEDED = "review_needed"
    QUARANTINED = "quarantined"


LIVE: tuple[str, ...] = (
    Status.ACTIVE.value,
    Status.CANDIDATE.value,
    Status.STALE.value,
    Status.CONFLICTED.value,
    Status.REVIEW_NEEDED.value,
)
"""Statuses that deduplicate and that a default reader may ask for; migration 0002's unique index repeats them."""

ALL = "all"
"""The sentinel in a status filter that disables filtering (quarantined records stay hidden from models)."""

PUBLIC: tuple[str, ...] = tuple(status.value for status in Status if status is not Status.QUARANTINED)
"""Statuses a caller may name in a filter."""

TRANSITIONS: dict[Status, frozenset[Status]] = {
    Status.CANDIDATE: frozenset(set(Status) - {Status.CANDIDATE}),
    Status.ACTIVE: frozenset(set(Status) - {Status.ACTIVE, Status.CANDIDATE}),
    Status.STALE: frozenset(set(Status) - {Status.STALE, Status.CANDIDATE}),
    Status.CONFLICTED: frozenset(set(Status) - {Status.CONFLICTED, Status.CANDIDATE}),
    Status.REVIEW_NEEDED: frozenset(set(Status) - {Status.REVIEW_NEEDED, Status.CANDIDATE}),
    # What was put away comes back by a person's decision only (restore, keep, undo), and then as active.
    Status.SUPERSEDED: frozenset({Status.ACTIVE, Status.ARCHIVED, Status.QUARANTINED}),
    Status.ARCHIVED: frozenset({Status.ACTIVE, Status.SUPERSEDED, Status.QUARANTINED}),
    Status.QUARANTINED: frozenset({Status.ACTIVE, Status.REVIEW_NEEDED, Status.ARCHIVED}),
}
"""Every allowed change of status; `services.lifecycle.change_status` enforces it."""


class EmbeddingStatus(StrEnum):
    """Whether the record can be found by meaning yet; words find it from the first moment."""

    PENDING = "pending"
    READY = "ready"
    FAILED = "failed"


def choices(enum: type[StrEnum]) -> list[tuple[str, str]]:
    """Django choices of a string enum."""
    return [(member.value, member.value) for member in enum]
