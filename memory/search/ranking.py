"""From raw numbers to scores and an order; pure, so that explanations can run it again."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from memory.search.candidates import REACH, Candidate
from memory.search.scoring import dense_score, graph_score, lexical_score, session_boost, total


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
        boost = session_boost(candidate.session_position)
        ranked.append(Scored(candidate, vector, lexical, dense, graph, boost, total(dense, graph, boost, weights)))
    return sorted(ranked, key=lambda scored: (-scored.score, scored.candidate.record_id))


def _neighbours(candidates: list[Candidate]) -> dict[uuid.UUID, list[uuid.UUID]]:
    """The candidates within REACH places of each other in a session, by the order in which they were written."""
    sessions: dict[uuid.UUID, list[Candidate]] = {}
    for candidate in candidates:
        if candidate.session_id is not None:
            sessions.setdefault(candidate.session_id, []).append(candidate)
    near: dict[uuid.UUID, list[uuid.UUID]] = {}
    for members in sessions.values():
        members.sort(key=lambda member: member.ordinal)
        for place, member in enumerate(members):
            around = members[max(place - REACH, 0) : place] + members[place + 1 : place + 1 + REACH]
            near[member.record_id] = [other.record_id for other in around]
    return near
