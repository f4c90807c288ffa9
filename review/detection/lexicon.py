"""How the word lists of this package are turned into what texts are compared by."""

from __future__ import annotations

from functools import lru_cache

from memory.terms.analysis import fold
from memory.terms.stemming import stem

#: Words are many, but not endless: the common ones of all workspaces fit.
CACHED_WORDS = 32_768


@lru_cache(maxsize=CACHED_WORDS)
def folded(word: str) -> str:
    """Lower case without accents, as the index terms have it."""
    return fold(word)


@lru_cache(maxsize=CACHED_WORDS)
def key_of(word: str, language: str = "english") -> str:
    """Folded and stemmed."""
    return stem(fold(word), language)


def stems(word: str) -> set[str]:
    """The forms under which a listed word can be met: folded, and stemmed as English."""
    return {fold(word), key_of(word)}


def stem_set(words: str) -> frozenset[str]:
    """All forms of a list of words."""
    return frozenset(form for word in words.split() for form in stems(word))


def word_set(words: str) -> frozenset[str]:
    """A list of words, as they stand."""
    return frozenset(words.split())
