"""`memory_search`: two published tools of one name, merged where both families are served.

With `agent_id` it is the Metronix form (scored records of that agent), without it the Argos form (live memories in the
caller's scope). A call that mixes the two would be answered by one and misread by the other, so it is refused.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from mcp_gateway import fields as f
from mcp_gateway.outputs import COUNT, NUMBER, NUMBER_OR_NULL, RECORD, TEXT, TEXT_OR_NULL, TEXTS, fields, many
from mcp_gateway.registry import Call, Family, Tool
from mcp_gateway.schemas import Arguments
from memory.presentation import hit_payload, record_payload, score
from memory.search import search_live, search_records
from metronix.errors import InvalidParams
from metronix.tenancy.principal import Principal

Category = Literal[
    "personal_fact", "preference", "insight", "event", "relationship", "goal", "context_note", "negative"
]
TopK = Annotated[int, Field(ge=1, le=50, description="Results to return with agent_id; 5 unless given.")]
Limit = Annotated[int, Field(ge=1, le=50, description="Results to return without agent_id; 10 unless given.")]


class ByAgent(Arguments):
    """The Metronix form."""

    query: Annotated[f.Query, Field(description="What you want to know, in plain words.")]
    agent_id: f.AgentId
    workspace_id: f.WorkspaceId = "default"
    scope: Annotated[f.Scope | None, Field(description="Only this scope.")] = None
    tags: Annotated[f.Tags | None, Field(description="Only memories that carry all of these tags.")] = None
    session_id: Annotated[
        f.SessionId | None, Field(description="Working session: adds its memories and favours recent ones.")
    ] = None
    top_k: TopK = 5
    status: Annotated[f.Statuses, Field(description='Statuses to include; ["all"] for every one.')] = Field(
        default=["active"]
    )


class Live(Arguments):
    """The Argos form."""

    query: Annotated[
        str,
        Field(min_length=1, max_length=2_000, description="What you want to know, in plain words."),
        AfterValidator(f.not_blank),
    ]
    limit: Limit = 10
    category_filter: Annotated[Category | None, Field(description="Only memories of this category.")] = None


class Either(Arguments):
    """What is published where both forms are served; `choose` decides which one a call is.

    Fields of one form have no default here: a client that fills in defaults would mix the forms.
    """

    query: Annotated[
        f.Query, Field(description="What you want to know, in plain words (2,000 characters without agent_id).")
    ]
    agent_id: f.AgentId | None = None
    workspace_id: Annotated[
        f.WorkspaceId | None, Field(description="Workspace to search (form with agent_id); absent: the caller's own.")
    ] = None
    scope: Annotated[f.Scope | None, Field(description="Only this scope (form with agent_id).")] = None
    tags: Annotated[f.Tags | None, Field(description="All of these tags (form with agent_id).")] = None
    session_id: Annotated[f.SessionId | None, Field(description="Working session (form with agent_id).")] = None
    top_k: TopK | None = None
    status: Annotated[
        f.Statuses | None,
        Field(description='Statuses, ["all"] for every one; absent: active (form with agent_id).'),
    ] = None
    limit: Limit | None = None
    category_filter: Annotated[Category | None, Field(description="Only this category (form without agent_id).")] = None


AGENT_ONLY = set(ByAgent.model_fields) - set(Live.model_fields)
LIVE_ONLY = set(Live.model_fields) - set(ByAgent.model_fields)


def choose(raw: dict[str, Any]) -> Arguments:
    """The form a call belongs to. Raises InvalidParams naming the fields of both when they are mixed."""
    given = {name for name, value in raw.items() if value is not None}
    of_agent, of_live = sorted(given & AGENT_ONLY), sorted(given & LIVE_ONLY)
    if of_agent and of_live:
        raise mixed(f"{', '.join(of_agent)} and {', '.join(of_live)} belong to different forms", of_live[0])
    if of_agent and "agent_id" not in given:
        raise mixed(f"{', '.join(of_agent)} needs agent_id", "agent_id")
    if set(raw) - set(Either.model_fields):
        Either.parse(raw)  # names the unknown field against all fields of both forms
    form = ByAgent if "agent_id" in given else Live
    return form.parse({name: value for name, value in raw.items() if value is not None or name in form.model_fields})


def mixed(problem: str, field: str) -> InvalidParams:
    """The refusal of a call that is neither form."""
    return InvalidParams(
        f"{problem}.",
        field=field,
        hint=f"With agent_id: {', '.join(sorted(AGENT_ONLY))}. Without it: {', '.join(sorted(LIVE_ONLY))}.",
    )


def handle(principal: Principal, arguments: ByAgent | Live, call: Call) -> dict[str, Any]:
    """Search in whichever form the arguments are."""
    return by_agent(principal, arguments) if isinstance(arguments, ByAgent) else live(principal, arguments)


def by_agent(principal: Principal, arguments: ByAgent) -> dict[str, Any]:
    """Scored records; `left_out` names legs that could not answer, when there are any."""
    outcome = search_records(
        principal,
        query=arguments.query,
        scope=arguments.scope,
        tags=arguments.tags,
        session_id=arguments.session_id,
        top_k=arguments.top_k,
        status=list(arguments.status),
    )
    results = [hit_payload(hit) for hit in outcome.hits]
    return with_gaps({"results": results, "count": len(results)}, outcome.left_out)


def live(principal: Principal, arguments: Live) -> dict[str, Any]:
    """Live memories with their similarity to the query."""
    outcome = search_live(principal, query=arguments.query, limit=arguments.limit, category=arguments.category_filter)
    results = []
    for hit in outcome.hits:
        record = record_payload(hit.record)
        kept = {name: record.get(name) for name in ("category", "content", "tags", "created_at", "updated_at")}
        kept |= {"status": record["status"], "scope": record["scope"], "similarity": score(hit.dense_score)}
        results.append({"memory_id": record["id"], **kept})
    return with_gaps({"results": results, "count": len(results)}, outcome.left_out)


def with_gaps(reply: dict[str, Any], left_out: list[str]) -> dict[str, Any]:
    """Say which search legs are missing, so that a poor result is not taken for a true one."""
    return {**reply, "left_out": list(left_out)} if left_out else reply


SCORED = fields(
    record=RECORD,
    score=NUMBER,
    dense_score=NUMBER,
    vector_score=NUMBER_OR_NULL,
    lexical_score=NUMBER_OR_NULL,
    graph_score=NUMBER,
    session_boost=NUMBER,
    rank=COUNT,
)
MEMORY = fields(
    memory_id=TEXT,
    category=TEXT_OR_NULL,
    content=TEXT,
    tags=TEXTS,
    similarity=NUMBER,
    created_at=TEXT,
    updated_at=TEXT,
    status=TEXT,
    scope=TEXT,
)
AGENT_REPLY = fields("left_out", results=many(SCORED), count=COUNT, left_out=TEXTS)
LIVE_REPLY = fields("left_out", results=many(MEMORY), count=COUNT, left_out=TEXTS)
WHEN = (
    "Find memories by meaning and by words. Use it before answering from what was said or decided earlier. Not for "
    "documents (metronix_search_fast), and not to page through everything (memory_list). "
)

TOOLS = [
    Tool(
        name="memory_search",
        family=Family.METRONIX,
        description=WHEN + 'Example: {"query": "which theme does Ada like", "agent_id": "hermes"}',
        arguments=ByAgent,
        reply=AGENT_REPLY,
        handler=handle,
        read_only=True,
        idempotent=True,
    ),
    Tool(
        name="memory_search",
        family=Family.ARGOS,
        description=(
            "Find live memories by meaning and by words. Use it before answering from what was said or decided "
            "earlier. Not to learn why something is missing (memory_why_not). "
            'Example: {"query": "which theme does Ada like", "limit": 5}'
        ),
        arguments=Live,
        reply=LIVE_REPLY,
        handler=handle,
        read_only=True,
        idempotent=True,
    ),
]

MERGED = [
    Tool(
        name="memory_search",
        family=Family.METRONIX,
        description=(
            WHEN + "With agent_id it returns that agent's records with their scores; without it, live memories in "
            "your scope with their similarity. Fields of the two forms cannot be mixed. "
            'Examples: {"query": "which theme does Ada like", "agent_id": "hermes", "top_k": 5}; '
            '{"query": "which theme does Ada like", "limit": 5}'
        ),
        arguments=Either,
        parse=choose,
        reply={"type": "object", "anyOf": [AGENT_REPLY, LIVE_REPLY]},
        handler=handle,
        read_only=True,
        idempotent=True,
    )
]
