"""/memory/search, /memory/facets, /memory/context."""

from __future__ import annotations

from dataclasses import asdict

from rest_framework.response import Response

from memory.api import bodies, replies
from memory.context import build_context
from memory.presentation import hit_payload, moment, score
from memory.search import search_records
from memory.services.facets import facets
from memory.vocabulary import LIVE
from metronix.api.endpoint import Endpoint
from metronix.api.inputs import Acting
from metronix.api.operation import Call, operation
from metronix.tenancy.principal import Role


class Search(Endpoint):
    """/memory/search."""

    @operation(
        "search_memories",
        "Find records by meaning and words",
        role=Role.VIEWER,
        query=Acting,
        body=bodies.Search,
        reply=replies.SearchReply,
    )
    def post(self, call: Call) -> Response:
        """Unlike the MCP tool's, the default takes in all but what was put away: this door is for inspection too."""
        body = call.body
        outcome = search_records(
            call.principal,
            query=body.query,
            scope=body.scope,
            tags=body.tags,
            session_id=body.session_id,
            top_k=body.top_k,
            status=list(LIVE) if body.status_filter is None else body.status_filter,
            as_of=body.as_of,
        )
        results = [hit_payload(hit) for hit in outcome.hits]
        return Response({"results": results, "count": len(results), "left_out": outcome.left_out})


class FacetsView(Endpoint):
    """/memory/facets."""

    @operation("memory_facets", "Which values records have", role=Role.VIEWER, query=Acting, reply=replies.FacetsReply)
    def get(self, call: Call) -> Response:
        """Kinds, sources, tags, scopes and agents of live records; statuses of all."""
        return Response(asdict(facets(call.principal)))


class Context(Endpoint):
    """/memory/context."""

    @operation(
        "memory_context",
        "A block for a prompt",
        role=Role.VIEWER,
        query=Acting,
        body=bodies.ContextWanted,
        reply=replies.ContextReply,
    )
    def post(self, call: Call) -> Response:
        """Preferences first, then what the query is about; numbered, fenced, within the budget of tokens."""
        block = build_context(
            call.principal,
            query=call.body.query,
            token_budget=call.body.token_budget,
            session_id=call.body.session_id,
        )
        citations = [
            {
                "number": number,
                "id": str(cited.record.id),
                "kind": cited.record.kind,
                "score": None if cited.score is None else score(cited.score),
                "created_at": moment(cited.record.created_at),
            }
            for number, cited in enumerate(block.cited, start=1)
        ]
        return Response(
            {
                "context": block.text,
                "tokens": block.tokens,
                "token_budget": call.body.token_budget,
                "count": len(citations),
                "citations": citations,
                "truncated": block.truncated,
                "left_out": block.left_out,
            }
        )
