"""From raw numbers to scores and an order; pure, so that explanations can run it again."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from memory.search.candidates import Candidate
from memory.search.scoring import NEIGHBOUR_REACH, dense_score, graph_score, lexical_score, session_boost, total


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate's parts, each 0..1 and absolute, and their weighted sum."""

    candidate: Candidate
    vector_score: float
    lexical_score: float
    dense_score: float
    graph_score: float
    session_boost: float
    score: float


def rank(
    candidates: Iterable[Candidate],
    *,
    similarity: Callable[[float], float],
    best_possible: float,
    weights: tuple[float, float, float],
) -> list[Scored]:
    """Score every candidate and sort, best first; equal scores in order of id, so that the order is always the same.

    `similarity` calibrates a query-passage cosine, `best_possible` is the BM25 of a perfect match, `weights` those of
    (dense, graph, session).
    """
    content: dict[uuid.UUID, tuple[Candidate, float, float, float]] = {}
    for candidate in candidates:
        vector = similarity(candidate.cosine) if candidate.cosine is not None else 0.0
        lexical = lexical_score(candidate.bm25, best_possible)
        content[candidate.record_id] = (candidate, vector, lexical, dense_score(vector, lexical))
    near = _neighbours([entry[0] for entry in content.values()])
    ranked = []
    for candidate, vector, lexical, dense in content.values():
        graph = graph_score(content[other][3] for other in near.get(candidate.record_id, ()))
        boost = session_boost(candidate.recency)
        ranked.append(Scored(candidate, vector, lexical, dense, graph, boost, total(dense, graph, boost, weights)))
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
