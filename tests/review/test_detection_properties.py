"""What holds for every pair of texts, odd ones included."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review.detection import Finding, Label, Statement, detect

TIMES = st.none() | st.datetimes(min_value=datetime(1990, 1, 1), max_value=datetime(2100, 1, 1))
TEXT = "the boat is not red 3 km 2024 in May on Monday no longer Ana's `x --y` 4 pm 20% € never was"
PIECES = tuple(TEXT.split())
WORDS = st.lists(st.sampled_from(PIECES), max_size=20).map(" ".join)
TEXTS = st.text(max_size=120) | WORDS
STATEMENTS = st.builds(Statement, TEXTS, TIMES)


def summary(found: Finding) -> tuple[Label, float, Label]:
    return found.label, round(found.confidence, 9), found.alarm


@settings(max_examples=200, deadline=None)
@given(STATEMENTS, STATEMENTS)
def test_swapping_changes_spans_and_direction_only(a: Statement, b: Statement) -> None:
    forth, back = detect(a, b), detect(b, a)
    assert summary(forth) == summary(back)
    if a.text != b.text:
        assert {"a": "b", "b": "a", None: None}[forth.direction] == back.direction
    assert [r.code for r in forth.reasons] == [r.code for r in back.reasons]


@settings(max_examples=200, deadline=None)
@given(STATEMENTS, STATEMENTS)
def test_answers_are_whole_and_repeatable(a: Statement, b: Statement) -> None:
    found = detect(a, b)
    assert found == detect(a, b)
    assert abs(sum(found.scores.values()) - 1) < 1e-9
    assert (found.direction is not None) == (found.label == Label.REPLACEMENT)
    for reason in found.reasons:
        assert reason.words
        for span, text in ((reason.a_span, a.text), (reason.b_span, b.text)):
            assert span is None or 0 <= span[0] < span[1] <= len(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\x00",
        "\ud800",
        "?!",
        "١٢٣ ٤",
        "9" * 400,
        "½ Ⅷ ²",
        "🙂" * 50,
        "ﷺ",
        "a\u0301" * 30,
        "31 February 2024",
        "{0} {1}",
    ],
)
def test_odd_texts_raise_nothing(text: str) -> None:
    for other in ("", text, "The {boat} is red."):
        assert detect(Statement(text), Statement(other)).label in set(Label)


@pytest.mark.parametrize(
    "unit", ["word ", "9", "1,000 ", "not no never ", "a-b_c/", "kein ", "ne ", "n't ", "May ", "\t", "-", "a."]
)
def test_huge_texts_take_bounded_time(unit: str) -> None:
    text = unit * 200_000
    begun = time.process_time()
    detect(Statement(text, datetime(2025, 1, 1, tzinfo=UTC)), Statement(text[1:], datetime(2025, 1, 2, tzinfo=UTC)))
    assert time.process_time() - begun < 1.0
