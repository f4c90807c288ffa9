"""The parts of a score are absolute and lie in 0..1."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.search import scoring

anything = st.floats(allow_nan=True, allow_infinity=True)
unit = st.floats(0, 1)


@given(anything, anything, st.lists(anything, max_size=6))
def test_every_part_stays_in_range(a: float, b: float, many: list[float]) -> None:
    parts = (
        scoring.lexical_score(a, b),
        scoring.dense_score(a, b),
        scoring.graph_score(many),
        scoring.total(a, b, a),
    )
    assert all(0 <= part <= 1 for part in parts)


@given(unit, unit, unit)
def test_dense_rises_with_either_leg(vector: float, lexical: float, more: float) -> None:
    base = scoring.dense_score(vector, lexical)
    assert scoring.dense_score(max(vector, more), lexical) >= base - 1e-12
    assert scoring.dense_score(vector, max(lexical, more)) >= base - 1e-12


def test_either_leg_alone_is_evidence_and_both_are_more() -> None:
    assert scoring.dense_score(0, 0) == 0
    assert scoring.dense_score(1, 0) == pytest.approx(0.85)
    assert scoring.dense_score(0, 1) == pytest.approx(0.85)
    assert scoring.dense_score(1, 1) == pytest.approx(0.9775)
    assert scoring.dense_score(0.1, 0.0) < 0.01


@given(st.lists(unit, max_size=6))
def test_graph_lies_between_second_and_best_and_ignores_order(scores: list[float]) -> None:
    value = scoring.graph_score(scores)
    assert value == scoring.graph_score(reversed(scores))
    best, second = sorted([*scores, 0.0, 0.0], reverse=True)[:2]
    assert second - 1e-12 <= value <= best + 1e-12


def test_graph_of_no_neighbour_and_of_one() -> None:
    assert scoring.graph_score([]) == 0
    assert scoring.graph_score([0.5]) == pytest.approx(0.4)
    assert scoring.graph_score([0.5, 1.0, 0.1]) == pytest.approx(0.9)


def test_lexical_share() -> None:
    assert scoring.lexical_score(3, 6) == 0.5
    assert scoring.lexical_score(9, 6) == 1
    assert scoring.lexical_score(3, 0) == 0
    assert scoring.lexical_score(math.nan, 6) == 0


def test_session_boost_halves_and_needs_a_session() -> None:
    assert scoring.session_boost(None) == 0
    assert scoring.session_boost(0) == 1
    assert scoring.session_boost(8) == pytest.approx(0.5)
    assert scoring.session_boost(-3) == 1
    boosts = [scoring.session_boost(i) for i in range(50)]
    assert boosts == sorted(boosts, reverse=True)


def test_the_total_is_the_contract() -> None:
    assert scoring.total(1, 1, 1) == pytest.approx(1)
    assert scoring.total(0.5, 0.2, 1) == pytest.approx(0.6 * 0.5 + 0.3 * 0.2 + 0.1)
    assert scoring.total(1, 0, 0, (0.2, 0.3, 0.5)) == pytest.approx(0.2)


def test_a_lone_irrelevant_record_does_not_score_like_a_relevant_one() -> None:
    irrelevant = scoring.total(scoring.dense_score(0.15, 0.05), scoring.graph_score([]), 0)
    relevant = scoring.total(scoring.dense_score(0.8, 0.5), scoring.graph_score([]), 0)
    assert irrelevant < 0.05 and relevant > 0.4
