"""How the word lists of this package are turned into what texts are compared by."""

from __future__ import annotations

from functools import lru_cache

from memory.terms.analysis import fold
from memory.terms.stemming import stem


@lru_cache(maxsize=32_768)
def key_of(word: str, language: str = "english") -> str:
    """Folded and stemmed."""
    folded = fold(word)
    return stem(folded, language)


def stems(word: str) -> set[str]:
    """The forms under which a listed word can be met: folded, and stemmed as English."""
    return {fold(word), key_of(word)}


def stem_set(words: str) -> frozenset[str]:
    """All forms of a list of words."""
    return frozenset(form for word in words.split() for form in stems(word))
