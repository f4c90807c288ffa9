"""Normalisation that cannot be made slow, and is the standard one for all real text."""

from __future__ import annotations

import unicodedata
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metronix.unicode import MOST_MARKS, normalised

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
@given(st.text(max_size=200))
def test_it_is_the_standard_form(form: Form, text: str) -> None:
    assert normalised(form, text) == unicodedata.normalize(form, text)


def test_a_few_marks_are_sorted_and_composed() -> None:
    assert normalised("NFC", "e\u0323\u0302") == "\u1ec7"
    stacked = "a" + "\u0300\u0316" * (MOST_MARKS // 2)
    assert normalised("NFD", stacked) == unicodedata.normalize("NFD", stacked)


def test_endless_marks_are_broken_into_runs() -> None:
    """Each run is sorted by itself; the sorting of one run of 32,000 marks would take seconds."""
    out = normalised("NFD", "b" + "\u0300\u0316" * 16_000)
    runs = out.split("\u034f")
    assert max(map(len, runs)) <= MOST_MARKS + 1
    assert sum(map(len, runs)) == 32_001
