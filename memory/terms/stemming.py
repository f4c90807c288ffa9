"""Snowball stems, cached, by the language the workspace is configured for."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Any

import snowballstemmer

#: Words in these scripts are stemmed by these languages whatever is configured; first
#: letter's code point range. The configured language covers the rest.
_BY_SCRIPT = (
    (0x0370, 0x03FF, "greek"),
    (0x0400, 0x04FF, "russian"),
    (0x0600, 0x06FF, "arabic"),
    (0x0900, 0x097F, "hindi"),
)
LANGUAGES = frozenset(snowballstemmer.algorithms())

_lock = threading.Lock()
_stemmers: dict[str, Any] = {}


@lru_cache(maxsize=65_536)
def stem(word: str, language: str = "english") -> str:
    """Return the stem of one folded ``word``; words with digits stay as they are.

    ``ValueError`` for a language Snowball does not know.
    """
    if language not in LANGUAGES:
        raise ValueError(f"no Snowball stemmer for {language!r}")
    if len(word) < 3 or any(char.isdigit() for char in word):
        return word
    first = ord(word[0])
    for low, high, name in _BY_SCRIPT:
        if low <= first <= high:
            language = name
            break
    else:
        if first > 0x24F:  # beyond Latin: no stemmer of ours can read it
            return word
    # A Snowball object keeps the word it works on: one at a time.
    with _lock:
        stemmer = _stemmers.get(language)
        if stemmer is None:
            stemmer = _stemmers[language] = snowballstemmer.stemmer(language)
        return str(stemmer.stemWord(word)) or word
