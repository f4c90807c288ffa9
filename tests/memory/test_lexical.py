"""BM25 by frequency classes equals BM25, and ids fit the index."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.terms import lexical

WORKSPACE = "MTRNIX"
documents = st.lists(
    st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 9), max_size=6),
    min_size=1,
    max_size=12,
)


def plain_bm25(query: list[str], index: int, docs: list[Counter[str]]) -> float:
    """Robertson's formula, straight from the counts; tf capped as documented."""
    average = sum(doc.total() for doc in docs) / len(docs)
    score = 0.0
    for term in query:
        df = sum(term in doc for doc in docs)
        tf = min(docs[index][term], 4)
        weight = math.log(1 + (len(docs) - df + 0.5) / (df + 0.5))
        relative = docs[index].total() / average if average else 1
        score += weight * tf * 1.9 / (tf + 0.9 * (1 - 0.4 + 0.4 * relative))
    return score


def inner(a: dict[int, float], b: dict[int, float]) -> float:
    return sum(value * b.get(index, 0.0) for index, value in a.items())


@given(documents, st.lists(st.sampled_from("abcdefgh"), unique=True, min_size=1))
@settings(max_examples=300, deadline=None)
def test_four_inner_products_give_bm25(raw: list[dict[str, int]], query: list[str]) -> None:
    docs = [Counter(doc) for doc in raw]
    average = sum(doc.total() for doc in docs) / len(docs)
    idfs = {t: lexical.idf(len(docs), sum(t in doc for doc in docs)) for t in query}
    vectors = lexical.query_vectors(WORKSPACE, idfs)
    assert len(vectors) == lexical.CLASSES
    for index, doc in enumerate(docs):
        ids, length, elements = lexical.row_vector(WORKSPACE, doc)
        assert ids == sorted({lexical.term_id(WORKSPACE, term) for term in doc})
        assert length == doc.total() and len(elements) == len(doc)
        assert all(0 <= i < lexical.DIMENSIONS and v == 1.0 for i, v in elements.items())
        score = lexical.bm25([inner(elements, v) for v in vectors], length, average)
        assert score == pytest.approx(plain_bm25(query, index, docs))


@given(st.text(max_size=40), st.text(max_size=40))
def test_term_ids_fit_31_bits_and_are_stable(workspace: str, term: str) -> None:
    if any("\ud800" <= c <= "\udfff" for c in workspace):
        return
    number = lexical.term_id(workspace, term)
    assert 1 <= number <= 2**31 - 1
    assert number == lexical.term_id(workspace, term)


def test_term_ids_are_pinned() -> None:
    # Stored in rows: another value would make every row unfindable until reindexed.
    assert lexical.term_id("MTRNIX", "phobos") == 782358415
    assert lexical.term_id("mtrnix", "phobos") != lexical.term_id("MTRNIX", "phobos")


def test_idf_is_positive_falling_and_forgives_late_counts() -> None:
    values = [lexical.idf(100, df) for df in range(101)]
    assert all(a > b > 0 for a, b in pairwise(values))
    assert lexical.idf(10, 50) == lexical.idf(10, 10)
    assert lexical.idf(0, 0) > 0 and lexical.idf(-1, -1) > 0


def test_saturation_rises_with_frequency_and_falls_with_length() -> None:
    assert lexical.saturation(1, 10, 10.0) == pytest.approx(1.0)
    assert lexical.saturation(2, 10, 10.0) > 1 > lexical.saturation(1, 100, 10.0)
    assert lexical.saturation(1, 5, 0.0) == pytest.approx(1.0)


def test_a_row_of_average_length_with_each_term_once_is_the_best_possible() -> None:
    idfs = {"red": 2.0, "bicycle": 3.5}
    _, length, elements = lexical.row_vector(WORKSPACE, Counter(["red", "bicycle"]))
    products = [inner(elements, v) for v in lexical.query_vectors(WORKSPACE, idfs)]
    assert lexical.bm25(products, length, 2.0) == pytest.approx(lexical.max_score(idfs.values()))
    assert lexical.max_score([]) == 0
