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

#: How sure one leg alone can make us: "says the same" on the calibrated scale. Neither a
#: vector (blind to negation) nor shared words (blind to sense) is proof.
LEG_TRUST = 0.85
#: Records to either side, in the same session, that lend support: a turn, the turn it
#: answers and the speaker's own last one. One gives 2 points less recall@10 on LoCoMo,
#: three or more give no more than two.
NEIGHBOUR_REACH = 2
#: Weights of the best and the second-best neighbour; their sum is 1, so is the maximum.
#: The second counts less: it usually speaks of the same thing as the first.
NEIGHBOUR_WEIGHTS = (0.8, 0.2)
#: Records until the session boost has fallen to half.
SESSION_HALF_LIFE = 8


def _unit(value: float) -> float:
    """Hold a float within 0..1; NaN, which compares with nothing, becomes 0."""
    return min(max(value, 0.0), 1.0) if value == value else 0.0


def lexical_score(bm25: float, best_possible: float) -> float:
    """BM25 as a share of what a perfect match of this query gets, 0..1."""
    return _unit(bm25 / best_possible) if best_possible > 0 else 0.0


def dense_score(vector_score: float, lexical_score: float) -> float:
    """The content leg, 0..1: vector similarity and word match as independent evidence.

    Noisy-or (Pearl, "Probabilistic Reasoning in Intelligent Systems", 1988): the record is
    missed only if both legs mislead. So a paraphrase without a shared word and an exact
    identifier the model cannot read both score on their own, and agreement scores higher.
    The similarity is squared, since its middle (0.6) is where related texts that do not
    answer lie: 0.6 counts as 0.36, 0.85 as 0.72, and what gibberish reaches (0.1) as 0.01.
    """
    vector, lexical = _unit(vector_score) ** 2, _unit(lexical_score)
    return _unit(1 - (1 - LEG_TRUST * vector) * (1 - LEG_TRUST * lexical))


def graph_score(neighbours: Iterable[float]) -> float:
    """Closeness to other hits, 0..1, from the dense scores of the session neighbours.

    ``neighbours``: of all candidates within ``NEIGHBOUR_REACH`` places of the record in
    its session, in any order; one that was not fetched counts as 0. No neighbour: 0.
    """
    best = sorted((_unit(score) for score in neighbours), reverse=True)[:2]
    return _unit(sum(w * s for w, s in zip(NEIGHBOUR_WEIGHTS, best, strict=False)))


def joined(neighbours: float, entities: float) -> float:
    """The graph leg, 0..1, from closeness by neighbours and by entities in common.

    A sum, held at 1, and not noisy-or: that would give the least to records whose neighbours answer as well, which
    are the ones that deserve it. On LoCoMo (760 questions) recall@10 is 0.779 by the sum, 0.759 by noisy-or and 0.748
    without entities.
    """
    return _unit(_unit(neighbours) + _unit(entities))


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
