"""From text to index terms: one analysis for records, documents and questions.

A term is a lower-cased, unaccented, stemmed word; an identifier is kept whole as well as
by its parts; scripts written without spaces give single characters and pairs.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator

from metronix.unicode import normalised

from .stemming import stem
from .stopwords import is_stopword

#: A pgvector sparsevec holds at most 16,000 non-zero elements.
MAX_DISTINCT_TERMS = 15_000


def _ranges(wanted: str, stop: int = 0x20000) -> str:
    """A regex class body of all code points whose Unicode category is in ``wanted``."""
    found: list[str] = []
    start: int | None = None
    for point in range(stop + 1):
        hit = point < stop and unicodedata.category(chr(point)) in wanted.split()
        if hit and start is None:
            start = point
        elif not hit and start is not None:
            found.append(f"\\U{start:08x}-\\U{point - 1:08x}")
            start = None
    return "".join(found)


# ``\w`` leaves out combining marks, which would tear Hindi or Tamil words apart. A word
# begins with a letter or digit, though: a mark on its own folds to nothing.
_MARKS = _ranges("Mn Mc", 0x11F00).replace("\\U0000fe00-\\U0000fe0f", "")
_W = rf"[^\W_](?:[^\W_]|[{_MARKS}])*"
_JOIN = r"[-_./:@&+=?%~'\u2019#\\$]"
_TOKEN = re.compile(rf"[#@]?{_W}(?:{_JOIN}+{_W}|(?<=\d),(?=\d){_W})*(?:\+\+|#)?")
_PART = re.compile(_W)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

# Scripts without spaces between words (Hangul has them, but glues particles on).
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+"
)

# Accents are dropped, but not the breve of Cyrillic short i, which is a letter of its own
# and which the Russian stemmer needs; vowel signs of Indic scripts are no accents.
_ACCENTS = re.compile("(?<!\u0438)\u0306|[\u0300-\u0305\u0307-\u036f\u0591-\u05c7\u064b-\u0652\u0670]")
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ı": "i"})

_SENTENCE_END = re.compile("[.!?\u3002\uff01\uff1f\\n]")
_NEGATED = {"ca": "can", "wo": "will", "sha": "shall", "ai": "is"}
_CLITIC = re.compile(r"(?:(n)['\u2019]t|['\u2019](?:s|ll|re|ve|d|m))$")
# Runs of these are punctuation; any other run, such as ``*^`` or ``:)``, is a term.
_DULL = re.compile("[.,;:!?\u2026\u3002\u3001\uff0c'\"`\u2018\u2019\u201c\u201d\\-\u2013\u2014()\\[\\]{}<>/\\\\|_~=]+")


def fold(text: str) -> str:
    """Lower-case ``text`` and drop its accents; letters keep their script."""
    text = normalised("NFD", text.casefold())
    return normalised("NFC", _ACCENTS.sub("", text)).translate(_LETTERS)


def terms(text: str, language: str = "english") -> Counter[str]:
    """Count the index terms of ``text``; at most ``MAX_DISTINCT_TERMS`` distinct ones.

    What lies beyond that cap, in order of appearance, is not indexed by words. Never
    raises for any string.
    """
    counts: Counter[str] = Counter()
    for term in _analyse(text, language, query=False):
        if term in counts or len(counts) < MAX_DISTINCT_TERMS:
            counts[term] += 1
    return counts


def query_terms(query: str, language: str = "english") -> list[str]:
    """The distinct terms of ``query`` in order of appearance; there is no query syntax.

    Differs from ``terms`` in two rules. A run of an unspaced script gives single
    characters only when it is one character long, so that a question of several
    characters does not match every text that shares one of them. Function words are left
    out, unless the query has nothing else, or a capital inside the sentence shows that the
    word is a name ("in May", "did Will", "IT"). Never raises for any string.
    """
    found = list(dict.fromkeys(_analyse(query, language, query=True)))
    return found or list(dict.fromkeys(_analyse(query, language, query=True, stop=False)))


def _analyse(text: str, language: str, *, query: bool, stop: bool = True) -> Iterator[str]:
    text = normalised("NFKC", text)
    stop = stop and query
    mixed_case = stop and not text.isupper()
    end = 0
    for match in _TOKEN.finditer(text):
        gap, token = text[end : match.start()], match.group()
        inside = end > 0 and not _SENTENCE_END.search(gap)
        end = match.end()
        name = inside and mixed_case and len(token) > 1 and token[0].isupper()
        yield from _symbols(gap)
        yield from _token(token, language, query=query, stop=stop and not name)
    yield from _symbols(text[end:])


def _token(token: str, language: str, *, query: bool, stop: bool) -> Iterator[str]:
    folded = fold(token)
    clitic = _CLITIC.search(folded)
    if clitic and _PART.fullmatch(folded[: clitic.start()]):
        # "Caroline's" is about Caroline; "don't" is "do" and "not".
        token, folded = token[: clitic.start()], folded[: clitic.start()]
        if clitic.group(1):
            folded = _NEGATED.get(folded, folded)
            if not stop:
                yield "not"
    if stop and is_stopword(folded, language):
        return
    parts = _PART.findall(folded)
    if parts != [folded]:
        yield folded.replace("\u2019", "'")
        if "," in folded:
            yield folded.replace(",", "")
    else:
        humps = _HUMP.split(token)
        if len(humps) > 1:
            yield stem(folded, language)
            parts = [fold(hump) for hump in humps]
    for part in parts:
        if not (stop and is_stopword(part, language)):
            yield from _word(part, language, query=query)


def _word(word: str, language: str, *, query: bool) -> Iterator[str]:
    end = 0
    for run in _UNSPACED.finditer(word):
        if run.start() > end:
            yield stem(word[end : run.start()], language)
        end = run.end()
        chars = run.group()
        if len(chars) == 1 or not query:
            yield from chars
        for i in range(len(chars) - 1):
            yield chars[i : i + 2]
    if end < len(word):
        yield stem(word[end:], language)


def _symbols(gap: str) -> Iterator[str]:
    """Terms of what lies between words: each emoji or symbol, and runs such as ``*^``."""
    for chunk in gap.split():
        run = ""
        for char in chunk:
            category = unicodedata.category(char)
            if category == "So" or (category in ("Sm", "Sc") and char > "\x7f"):
                yield char
            elif category[0] in "PS" and not "\U0001f3fb" <= char <= "\U0001f3ff":
                # Skin tones (category Sk) colour an emoji; they are no symbol of their own.
                run += char
        if 1 < len(run) <= 8 and not _DULL.fullmatch(run):
            yield run
