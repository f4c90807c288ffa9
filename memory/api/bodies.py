"""What the routes of memories read."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, WithJsonSchema

from memory.fields import PROJECT_LENGTH
from metronix import strict_fields as f
from metronix.strict import StrictModel

Category = Literal[
    "personal_fact", "preference", "insight", "event", "relationship", "goal", "context_note", "negative"
]
SourceTypes = Annotated[list[f.SourceType], Field(max_length=32)]
Kinds = Annotated[list[f.Kind], Field(min_length=1, max_length=3)]
Project = Annotated[str, Field(max_length=PROJECT_LENGTH), AfterValidator(f.storable)]
AGENT = "Agent whose memory it is; absent: the X-Agent-Id header."


class RecordFields(StrictModel):
    """What one record may be given."""

    content: Annotated[f.Content, Field(description="What to remember, kept exactly as sent.")]
    agent_id: Annotated[f.AgentId | None, Field(description=AGENT)] = None
    scope: Annotated[f.Scope, Field(description="Who reads it; session needs session_id.")] = "per_agent"
    kind: Annotated[f.Kind, Field(description="fact, preference, or pinned (never aged out).")] = "fact"
    category: Annotated[Category, Field(description="What it is about.")] = "context_note"
    source_type: Annotated[f.SourceType, Field(description="Where it came from.")] = ""
    tags: Annotated[f.Tags, Field(description="Labels, kept exactly as given.")] = []
    importance_score: Annotated[f.Importance, Field(description="0 (trivia) to 1 (vital).")] = 0.5
    ttl_seconds: Annotated[int | None, Field(ge=1, le=f.MAX_INT, description="Life in seconds.")] = None
    ttl_expires_at: Annotated[f.Time | None, Field(description="When it expires; excludes ttl_seconds.")] = None
    valid_until: Annotated[f.Time | None, Field(description="Last moment at which it holds.")] = None
    session_id: Annotated[f.SessionId | None, Field(description="Session it belongs to.")] = None
    project: Annotated[Project, Field(description="Project it belongs to.")] = ""
    metadata: Annotated[dict[str, Any] | None, Field(description="Any JSON object, up to 32 KiB.")] = None

    def for_service(self) -> dict[str, Any]:
        """The keywords of `store_record`; the agent is the principal's."""
        return self.as_keywords("agent_id")


class NewRecord(RecordFields):
    """Body of POST /memory/records."""


Items = Annotated[
    list[Any],
    Field(min_length=1, max_length=100),
    WithJsonSchema({"type": "array", "minItems": 1, "maxItems": 100, "items": RecordFields.model_json_schema()}),
]
"""Strict in the published form, loose here: a bad item must be its own error and not the whole call's."""


class NewRecords(StrictModel):
    """Body of POST /memory/records/batch; what is said here holds for items that do not say otherwise."""

    records: Annotated[Items, Field(description="1 to 100 records, stored in this order.")]
    agent_id: Annotated[f.AgentId | None, Field(description=AGENT)] = None
    scope: Annotated[f.Scope | None, Field(description="Scope of items without one.")] = None
    kind: Annotated[f.Kind | None, Field(description="Kind of items without one.")] = None
    importance_score: Annotated[f.Importance | None, Field(description="Of items without one.")] = None
    source_type: Annotated[f.SourceType | None, Field(description="Of items without one.")] = None
    session_id: Annotated[f.SessionId | None, Field(description="Of items without one.")] = None
    tags: Annotated[f.Tags | None, Field(description="Of items without any.")] = None

    def defaults(self) -> dict[str, Any]:
        """What items inherit."""
        return self.as_keywords("records", only_given=True)


class Change(StrictModel):
    """Body of PATCH /memory/records/{id}; at least one field."""

    content: Annotated[f.Content | None, Field(description="New text; the old one stays in the history.")] = None
    tags: Annotated[f.Tags | None, Field(description="Replaces all tags.")] = None
    importance_score: Annotated[f.Importance | None, Field(description="New importance.")] = None


class RecordIds(StrictModel):
    """Body of batch-delete and promote."""

    record_ids: Annotated[list[f.RecordId], Field(min_length=1, max_length=500, description="Ids of records.")]


class Search(StrictModel):
    """Body of POST /memory/search."""

    query: Annotated[f.Query, Field(description="What you want to know, in plain words.")]
    agent_id: Annotated[
        f.AgentId | None, Field(description="Search as this agent; absent: the header's, or the whole workspace.")
    ] = None
    scope: Annotated[f.Scope | None, Field(description="Only this scope.")] = None
    tags: Annotated[f.Tags | None, Field(description="Only records with all of these tags.")] = None
    session_id: Annotated[f.SessionId | None, Field(description="Adds this session's records.")] = None
    top_k: Annotated[int, Field(ge=1, le=50, description="Most results.")] = 5
    status_filter: Annotated[
        f.Statuses | None,
        Field(description='Statuses to include; absent: all but archived and superseded; ["all"]: every one.'),
    ] = None
    as_of: Annotated[f.Time | None, Field(description="Answer as of that time.")] = None


class ContextWanted(StrictModel):
    """Body of POST /memory/context."""

    query: Annotated[f.Query, Field(description="What the prompt is about.")]
    agent_id: Annotated[f.AgentId | None, Field(description="Whose memory; absent: the header's.")] = None
    token_budget: Annotated[int, Field(ge=64, le=100_000, description="Most tokens of the block.")] = 1_000
    session_id: Annotated[f.SessionId | None, Field(description="Adds this session's records.")] = None


class ForgetFilter(StrictModel):
    """A record is forgotten if it meets all that is given."""

    scope: f.Scope | None = None
    kind_filter: Kinds | None = None
    status_filter: f.Statuses | None = None
    source_type_filter: SourceTypes | None = None
    tags: f.Tags | None = None
    project: Project | None = None
    created_before: f.Time | None = None
    created_after: f.Time | None = None


class Forget(StrictModel):
    """Body of POST /memory/forget; at least one of agent_id, user, session_id and filter."""

    agent_id: Annotated[f.AgentId | None, Field(description="All of this agent's records and sessions.")] = None
    user: Annotated[
        str | None,
        Field(min_length=1, max_length=160, description="All that this user or credential (its id) has stored."),
        AfterValidator(f.not_blank),
    ] = None
    session_id: Annotated[f.SessionId | None, Field(description="This session with its records.")] = None
    filter: Annotated[ForgetFilter | None, Field(description="Only records that meet all of this.")] = None
    dry_run: Annotated[bool, Field(description="Only count what would go; false deletes.")] = True


class NewSession(StrictModel):
    """Body of POST /memory/sessions."""

    agent_id: Annotated[f.AgentId | None, Field(description=AGENT)] = None
    project: Annotated[Project, Field(description="What the session works on.")] = ""
    session_id: Annotated[f.SessionId | None, Field(description="Its id; absent: one is made.")] = None
    metadata: Annotated[dict[str, Any] | None, Field(description="Any JSON object, up to 32 KiB.")] = None


class EndSession(StrictModel):
    """Body of POST /memory/sessions/{id}/end; may be left out."""

    agent_id: Annotated[f.AgentId | None, Field(description="Agent whose session it is.")] = None
    promote: Annotated[
        list[f.RecordId], Field(max_length=500, description="Session records to keep as per_agent ones.")
    ] = []


class Promote(RecordIds):
    """Body of POST /memory/sessions/{id}/promote."""

    agent_id: Annotated[f.AgentId | None, Field(description="Agent whose session it is.")] = None
