"""From raw numbers to scores and an order; pure, so that explanations can run it again."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from memory.search.candidates import Candidate
from memory.search.entity_leg import NOTHING, EntityPart
from memory.search.scoring import (
    NEIGHBOUR_REACH,
    dense_score,
    graph_score,
    joined,
    lexical_score,
    session_boost,
    total,
)


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate's parts, each 0..1 and absolute, and their weighted sum.

    `graph_score` is what `neighbour_score` and `entities.score` come to.
    """

    candidate: Candidate
    vector_score: float
    lexical_score: float
    dense_score: float
    graph_score: float
    session_boost: float
    score: float
    neighbour_score: float = 0.0
    entities: EntityPart = NOTHING


def rank(
    candidates: Iterable[Candidate],
    *,
    similarity: Callable[[float], float],
    best_possible: float,
    weights: tuple[float, float, float],
    entities: Mapping[uuid.UUID, EntityPart] = MappingProxyType({}),
) -> list[Scored]:
    """Score every candidate and sort, best first; equal scores in order of id, so that the order is always the same.

    `similarity` calibrates a query-passage cosine, `best_possible` is the BM25 of a perfect match, `weights` those of
    (dense, graph, session), `entities` what candidates share with the question beyond its words.
    """
    content: dict[uuid.UUID, tuple[Candidate, float, float, float]] = {}
    for candidate in candidates:
        vector = similarity(candidate.cosine) if candidate.cosine is not None else 0.0
        lexical = lexical_score(candidate.bm25, best_possible)
        content[candidate.record_id] = (candidate, vector, lexical, dense_score(vector, lexical))
    near = _neighbours([entry[0] for entry in content.values()])
    ranked = []
    for candidate, vector, lexical, dense in content.values():
        neighbours = graph_score(content[other][3] for other in near.get(candidate.record_id, ()))
        shared = entities.get(candidate.record_id, NOTHING)
        graph = joined(neighbours, shared.score)
        boost = session_boost(candidate.recency)
        score = total(dense, graph, boost, weights)
        ranked.append(Scored(candidate, vector, lexical, dense, graph, boost, score, neighbours, shared))
    return sorted(ranked, key=lambda scored: (-scored.score, scored.candidate.record_id))


def _neighbours(candidates: list[Candidate]) -> dict[uuid.UUID, list[uuid.UUID]]:
    """For each candidate the others within NEIGHBOUR_REACH places of it in its session."""
    places = {
        (candidate.session_id, candidate.position): candidate.record_id
        for candidate in candidates
        if candidate.session_id is not None and candidate.position is not None
    }
    steps = [step for step in range(-NEIGHBOUR_REACH, NEIGHBOUR_REACH + 1) if step]
    return {
        record_id: [
            places[session_id, place + step]
            for step in steps
            if place is not None and (session_id, place + step) in places
        ]
        for (session_id, place), record_id in places.items()
    }
