"""Marked differences read as either text."""

from __future__ import annotations

import time

import pytest

from memory.worddiff import Piece, word_diff


def side(pieces: list[Piece], unwanted: str) -> str:
    return "".join(piece.text for piece in pieces if piece.kind != unwanted)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", "new"),
        ("old", ""),
        ("same", "same"),
        ("The port is 5432.", "The port is 5433, since May."),
        ("one two three", "four five three"),
        ("我住在柏林", "我住在巴黎"),
        ("a\n\nb", "a\nb\n"),
        ("🎉👩‍👩‍👧 party", "🎉👩‍👩‍👦 party"),
        ("הפגישה ביום שני", "הפגישה ביום שלישי"),
    ],
)
def test_both_texts_can_be_read_from_it(old: str, new: str) -> None:
    pieces = word_diff(old, new)
    assert side(pieces, "new") == old
    assert side(pieces, "gone") == new


def test_words_are_marked_and_not_lines() -> None:
    assert word_diff("The port is 5432.", "The port is 5433.") == [
        Piece("same", "The port is "),
        Piece("gone", "5432"),
        Piece("new", "5433"),
        Piece("same", "."),
    ]
    assert [piece.text for piece in word_diff("a red car", "a blue bus") if piece.kind != "same"] == [
        "red car",
        "blue bus",
    ]


def test_long_unchanged_text_is_cut_around_the_change() -> None:
    text = "word " * 500
    pieces = word_diff(f"{text}old {text}", f"{text}new {text}")
    assert [piece.kind for piece in pieces] == ["gap", "same", "gone", "new", "same", "gap"]


def test_the_longest_contents_are_compared_in_time() -> None:
    old = " ".join(str(n) for n in range(6_500))[:32_768]
    new = " ".join(str(n * 7 % 6_500) for n in range(6_500))[:32_768]
    start = time.monotonic()
    word_diff(old, new)
    assert time.monotonic() - start < 3
