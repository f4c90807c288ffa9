"""The parts of a search score; each is absolute and lies in 0..1.

Nothing here looks at the other results of a search except ``graph_score``, which is about
them by definition: no part is scaled by the best or worst of a result set, so a lone
irrelevant record keeps its low score.
"""

from __future__ import annotations

from collections.abc import Iterable

DENSE_WEIGHT = 0.6
GRAPH_WEIGHT = 0.3
SESSION_WEIGHT = 0.1

#: Share of the words in the content leg, the rest is the vector's.
LEXICAL_SHARE = 0.5
#: Weights of the best and the second-best neighbour; their sum is 1, so is the maximum.
NEIGHBOUR_WEIGHTS = (0.7, 0.3)
#: Records until the session boost has fallen to half.
SESSION_HALF_LIFE = 8


def _unit(value: float) -> float:
    """Hold a float within 0..1; NaN, which compares with nothing, becomes 0."""
    return min(max(value, 0.0), 1.0) if value == value else 0.0


def lexical_score(bm25: float, best_possible: float) -> float:
    """BM25 as a share of what a perfect match of this query gets, 0..1."""
    return _unit(bm25 / best_possible) if best_possible > 0 else 0.0


def dense_score(vector_score: float, lexical_score: float) -> float:
    """The content leg, 0..1: vector similarity and word match fused."""
    vector, lexical = _unit(vector_score), _unit(lexical_score)
    return (1 - LEXICAL_SHARE) * vector + LEXICAL_SHARE * lexical


def graph_score(neighbours: Iterable[float]) -> float:
    """Closeness to other hits, 0..1: the dense scores of the session neighbours."""
    best = sorted((_unit(score) for score in neighbours), reverse=True)[:2]
    return _unit(sum(w * s for w, s in zip(NEIGHBOUR_WEIGHTS, best, strict=False)))


def session_boost(position: int | None) -> float:
    """Recency within the named session, 0..1: 1 for its newest record (``position`` 0).

    ``None`` when the query names no session or the record is not in it.
    """
    if position is None:
        return 0.0
    return float(0.5 ** (max(position, 0) / SESSION_HALF_LIFE))


def total(
    dense: float,
    graph: float,
    session: float,
    weights: tuple[float, float, float] = (DENSE_WEIGHT, GRAPH_WEIGHT, SESSION_WEIGHT),
) -> float:
    """The score of a hit: the contract's weighted sum of three parts, 0..1."""
    parts = (dense, graph, session)
    return _unit(sum(w * _unit(p) for w, p in zip(weights, parts, strict=True)))
