"""What the routes of memories answer, as documented; `memory.presentation` builds it."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from metronix.api.outputs import Listed, Moment, Problem

Score = float


class Record(BaseModel):
    """A memory record, the true row."""

    id: str
    workspace_id: str
    agent_id: str
    scope: str
    kind: str
    category: str
    project: str
    session_id: str | None
    source_type: str
    content: str
    tags: list[str]
    importance_score: float = Field(ge=0, le=1)
    metadata: dict[str, Any]
    content_hash: str
    status: str
    verification_state: str
    superseded_by: str | None
    embedding_status: str
    freshness_score: float
    evidence_count: int
    revision: int
    version: int
    valid_from: Moment
    valid_until: Moment | None
    ttl_expires_at: Moment | None
    created_at: Moment
    updated_at: Moment
    last_accessed_at: Moment | None


class StoredRecord(Record):
    """The record, and whether it was there already."""

    deduped: bool


class RecordList(Listed):
    """A page of records, newest first."""

    records: list[Record]


class ItemResult(BaseModel):
    """What became of one item of a batch."""

    id: str | None
    content_hash: str | None
    deduped: bool
    error: Problem | None


class StoredBatch(BaseModel):
    """Per-item results in the order sent; `stored` counts new rows only."""

    stored: int
    deduped: int
    failed: int
    results: list[ItemResult]


class DeletedItem(BaseModel):
    """What became of one id."""

    id: str
    deleted: bool
    error: Problem | None


class DeletedBatch(BaseModel):
    """Per-id results in the order sent."""

    deleted: int
    failed: int
    results: list[DeletedItem]


class Found(BaseModel):
    """A record with the parts of its score."""

    record: Record
    score: Score
    dense_score: Score
    vector_score: Score | None
    lexical_score: Score | None
    graph_score: Score
    session_boost: Score
    rank: int


class SearchReply(BaseModel):
    """Best first; `left_out` names search legs that could not answer."""

    results: list[Found]
    count: int
    left_out: list[str]


class HistoryEntry(BaseModel):
    """One content of a record; the current one bears the record's id and no `valid_to`."""

    id: str
    number: int
    content: str
    status: str
    created_at: Moment
    valid_from: Moment
    valid_to: Moment | None


class History(Listed):
    """Every content the record has had, oldest first."""

    entries: list[HistoryEntry]


class Event(BaseModel):
    """Something that happened to a record."""

    id: str
    event_type: str
    actor: str
    principal: str
    agent_id: str | None
    record_id: str | None
    session_id: str | None
    data: dict[str, Any]
    created_at: Moment


class EventList(Listed):
    """A page of events, newest first."""

    events: list[Event]


class FacetsReply(BaseModel):
    """Value -> number of records, most frequent first."""

    kinds: dict[str, int]
    source_types: dict[str, int]
    tags: dict[str, int]
    scopes: dict[str, int]
    agents: dict[str, int]
    statuses: dict[str, int]


class Citation(BaseModel):
    """The record behind a number in the block."""

    number: int
    id: str
    kind: str
    score: Score | None
    created_at: Moment


class ContextReply(BaseModel):
    """`context` is ready to be put into a prompt; `truncated` says that more was relevant than fitted."""

    context: str
    tokens: int
    token_budget: int
    count: int
    citations: list[Citation]
    truncated: bool
    left_out: list[str]


class ForgetReply(BaseModel):
    """`record_ids` shows up to 100 of what goes or went."""

    dry_run: bool
    matched: int
    deleted: int
    sessions: int
    record_ids: list[str]


class SessionReply(BaseModel):
    """An opened session."""

    session_id: str
    agent_id: str
    project: str
    metadata: dict[str, Any]
    started_at: Moment


class Promoted(BaseModel):
    """A session record that is kept; `id` is the per_agent record that says it now."""

    session_record_id: str
    id: str
    deduped: bool


class SessionEnd(BaseModel):
    """The end of a session, the same however often it is asked for."""

    session_id: str
    ended_at: Moment
    promoted: list[Promoted]


class Promotions(BaseModel):
    """What was kept."""

    promoted: list[Promoted]
    count: int
