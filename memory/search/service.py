"""The search that all doors share."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from django.conf import settings
from numpy.typing import NDArray

from memory import fields
from memory.as_of import content_then, with_status_then
from memory.models import MemoryRecord
from memory.retrievals import note
from memory.search.candidates import find_candidates, lexical_query
from memory.search.entity_leg import asked_entities, entity_parts
from memory.search.past import past_candidates
from memory.search.ranking import Scored, rank
from memory.search.request import SearchRequest, search_request
from memory.services.embedding_models import ModelInUse, model_in_use
from memory.vocabulary import LIVE, Status
from metronix.ports.embedder import EmbedderUnavailable, embed_query_within, split_windows
from metronix.tenancy.context import tenant
from metronix.tenancy.principal import Principal

logger = logging.getLogger(__name__)

ARGOS_QUERY_LENGTH = 2_000
QUERY_TOKENS = 128
"""The vector leg reads this much of a query; the words leg reads all of it."""


@dataclass(frozen=True)
class Hit:
    """A found record with its parts; `rank` counts from 1."""

    record: MemoryRecord
    score: float
    dense_score: float
    vector_score: float
    lexical_score: float
    graph_score: float
    session_boost: float
    rank: int


@dataclass(frozen=True)
class SearchOutcome:
    """Hits, best first, and the legs that could not answer."""

    hits: list[Hit]
    left_out: list[str]


def search_records(
    principal: Principal,
    *,
    query: str,
    scope: str | None = None,
    tags: Sequence[str] | None = None,
    session_id: str | None = None,
    top_k: int = 5,
    status: Sequence[str] | None = None,
    as_of: datetime | None = None,
) -> SearchOutcome:
    """Records the principal may read, by meaning, words, session neighbours and recency in the session named.

    `status` None means active. `top_k` rows come back whenever that many match the filters. Errors: InvalidParams.
    """
    statuses = fields.statuses(status, [Status.ACTIVE.value])
    return run(
        principal,
        search_request(
            query=query, top_k=top_k, statuses=statuses, scope=scope, tags=tags, session_id=session_id, as_of=as_of
        ),
    )


def search_live(principal: Principal, *, query: str, limit: int = 10, category: str | None = None) -> SearchOutcome:
    """Live records in the principal's scope (the Argos form). Errors: InvalidParams."""
    return run(
        principal,
        search_request(query=query, top_k=limit, statuses=LIVE, category=category, longest_query=ARGOS_QUERY_LENGTH),
    )


def run(principal: Principal, request: SearchRequest) -> SearchOutcome:
    """Embed the query (outside any transaction), then find, rank and load in one transaction;
    last, note what was found."""
    vector, model, left_out = _query_vector(request.query)
    with tenant(principal):
        ranked = scored_candidates(principal, request, vector, model)[: request.top_k]
        wanted = [scored.candidate.record_id for scored in ranked]
        records = _load(wanted, request)
    # A record deleted between the two queries of one search is simply not there any more.
    present = [scored for scored in ranked if scored.candidate.record_id in records]
    hits = [_hit(scored, records[scored.candidate.record_id], place) for place, scored in enumerate(present, start=1)]
    note(principal, request, hits)
    return SearchOutcome(hits, left_out)


def scored_candidates(
    principal: Principal, request: SearchRequest, vector: NDArray[np.float32] | None, model: ModelInUse | None = None
) -> list[Scored]:
    """Every candidate with its numbers, best first; inside `tenant`. The one place where the legs are computed.

    `model` is the one that gave `vector`; None: the one in use.
    """
    lexical = lexical_query(principal, request.query)
    if vector is not None and model is None:
        model = model_in_use()
    of_model = (model.id, model.dimensions) if vector is not None and model is not None else (0, 1)
    if request.as_of is None:
        asked = asked_entities(principal.workspace_id, request.query)
        candidates = find_candidates(principal, request, lexical, vector, of_model, [one.id for one in asked])
    else:
        asked = []  # entities are those of the present contents
        candidates = past_candidates(principal, request, lexical, vector, of_model, request.as_of)
    return rank(
        candidates,
        similarity=model.embedder().calibration.query_similarity if model is not None else lambda cosine: 0.0,
        best_possible=lexical.best_possible,
        weights=(
            settings.METRONIX_MEMORY_SEARCH_DENSE_WEIGHT,
            settings.METRONIX_MEMORY_SEARCH_GRAPH_WEIGHT,
            settings.METRONIX_MEMORY_SEARCH_SESSION_WEIGHT,
        ),
        entities=entity_parts(asked, candidates),
    )


def _load(ids: list[uuid.UUID], request: SearchRequest) -> dict[uuid.UUID, MemoryRecord]:
    records = MemoryRecord.objects.defer("term_weights", "term_ids")
    if request.as_of is None:
        return records.in_bulk(ids)
    found = with_status_then(records, request.as_of).in_bulk(ids)
    content_then(list(found.values()), request.as_of)
    return found


def _query_vector(query: str) -> tuple[NDArray[np.float32] | None, ModelInUse | None, list[str]]:
    try:
        model = model_in_use()
        embedder = model.embedder()
        # A question is one thought; what goes on for longer takes the embedder seconds, and blurs it.
        first = split_windows(query, embedder.count_tokens, QUERY_TOKENS)[0]
        return embed_query_within(embedder, first, settings.METRONIX_EMBED_TIMEOUT), model, []
    except EmbedderUnavailable as problem:
        logger.warning("search goes on without the vector leg: %s", problem)
        return None, None, ["vector"]


def _hit(scored: Scored, record: MemoryRecord, place: int) -> Hit:
    return Hit(
        record=record,
        score=scored.score,
        dense_score=scored.dense_score,
        vector_score=scored.vector_score,
        lexical_score=scored.lexical_score,
        graph_score=scored.graph_score,
        session_boost=scored.session_boost,
        rank=place,
    )
