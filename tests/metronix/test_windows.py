"""split_windows: nothing lost, nothing over the limit, no word torn, quick."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metronix.ports.embedder import get_embedder
from metronix.ports.embedder.windows import split_windows

WORDS = ["the", "quick", "brown", "fox", "jumped", "over", "considerable", "obstacles", "without", "hesitation"]


def by_words(text: str) -> int:
    """A counter without a model: two specials, one token per word or other sign."""
    return 2 + len(re.findall(r"\w{1,8}|[^\w\s]", text))


def squeezed(text: str) -> str:
    return "".join(text.split())


def check(text: str, count: Callable[[str], int], limit: int) -> list[str]:
    windows = split_windows(text, count, limit)
    assert squeezed("".join(windows)) == squeezed(text)
    assert all(window == window.strip() and window for window in windows)
    assert all(count(window) <= limit or len(window) == 1 for window in windows)
    return windows


@given(st.text(max_size=600), st.integers(4, 40))
@settings(max_examples=300, deadline=None)
def test_any_text_is_covered_within_the_limit(text: str, limit: int) -> None:
    check(text, by_words, limit)


@given(st.lists(st.sampled_from([*WORDS, "end.", "\n", "\n\n", "- "]), max_size=300))
@settings(max_examples=200, deadline=None)
def test_words_stay_whole(parts: list[str]) -> None:
    text = " ".join(parts)
    windows = check(text, by_words, 20)
    assert " ".join(windows).split() == text.split()


def test_short_text_is_one_window_and_blank_text_is_none() -> None:
    assert split_windows("  hello world \n", by_words) == ["hello world"]
    assert split_windows(" \n\t ", by_words) == []
    assert split_windows("", by_words) == []


def test_paragraphs_and_sentences_are_kept_whole() -> None:
    paragraph = "One two three four five. Six seven eight nine ten."
    text = "\n\n".join([paragraph] * 6)
    assert split_windows(text, by_words, 14) == [paragraph] * 6
    sentences = split_windows("A b c d e f. " * 10, by_words, 18)
    assert all(window.endswith("f.") and window.startswith("A") for window in sentences)


def test_a_limit_without_room_is_an_error() -> None:
    with pytest.raises(ValueError, match="leaves no room"):
        split_windows("text", by_words, 2)


TEXTS = {
    "one letter": "a" * 32_768,
    "prose": " ".join(f"{WORDS[i % 10]}{'.' if i % 11 == 0 else ''}" for i in range(5_000)),
    "chinese": "我住在柏林而且很喜欢这里的天气" * 2_184,
    "chinese sentences": "我住在柏林。而且很喜欢这里的天气！" * 1_900,
    "emoji": "👩‍👩‍👧❤️" * 4_000,
    "short lines": "a\n" * 16_384,
    "code": "def foo(x):\n    return x + 1\n\n" * 1_100,
    "long token": "x9" * 3_000 + " and words after it " + "https://example.org/" + "a/" * 2_000,
    "expanding ligature": "\ufdfa" * 300,
    "spaces": ("word" + " " * 500) * 60,
}


@pytest.mark.parametrize("name", TEXTS)
def test_real_tokenizer(name: str) -> None:
    embedder = get_embedder()
    text = TEXTS[name][:32_768]
    began = time.perf_counter()
    windows = check(text, embedder.count_tokens, embedder.max_window_tokens)
    assert time.perf_counter() - began < 3
    assert text.strip()[:1] == windows[0][:1] and text.strip()[-1:] == windows[-1][-1:]


def test_emoji_sequences_are_not_torn() -> None:
    embedder = get_embedder()
    family = "👩‍👩‍👧"
    for window in split_windows(family * 2_000, embedder.count_tokens):
        assert set(window.split(family)) == {""}
