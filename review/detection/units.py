"""A text cut into the units that are compared: words, names, identifiers, quantities, dates, times."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any

from memory.terms.stopwords import STOPWORDS

from . import dates, quantities
from .lexicon import folded as fold
from .lexicon import key_of, word_set
from .statement import Span

#: Longer texts are compared by their beginning: the cost grows with the product of lengths.
MAX_CHARACTERS = 2_000
MAX_UNITS = 120

_URL = re.compile(r"\b(?P<scheme>[a-z][a-z0-9+.]{1,9})://(?P<rest>[^\s`'\"<>)]+)", re.IGNORECASE)
_CODE = re.compile(
    r"(?<!\w)(?:\.{0,2}/[\w.{}-]+(?:/[\w.{}*-]*)*|[\w.-]+@[\w.-]+(?::[\w./-]+)?|--?[a-z][\w-]*|[\w-]+(?:[./][\w-]+)+/?|"
    r"[#@][\w-]+|\w+_\w+(?:_\w+)*|[A-Za-z]+-\d+|(?=\w*\d)(?=\w*[A-Za-z])\w+(?:[-.]\w+)*)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?|\d+|[\U0001f300-\U0001faff\u2190-\u27bf]|[^\w\s]", re.UNICODE)
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
_CLITIC = re.compile(r"^(.*?)(n['\u2019]t|['\u2019](?:s|re|ve|ll|d|m))$", re.IGNORECASE)
_BARE = {"doesnt": "does", "dont": "do", "didnt": "did", "isnt": "is", "cant": "can", "wont": "will", "wasnt": "was"}
_IRREGULAR = {"ca": "can", "wo": "will", "sha": "shall"}
#: On the platform's lists of function words, but telling here.
_TELLING = word_set("on off up down before after not no only same over under again both out without ohne sans sin")
_AUX = word_set("get gets got getting use s t ")


@dataclass(slots=True)
class Unit:
    """One comparable piece of a text; ``key`` is equal for pieces that say the same."""

    key: str
    kind: str
    text: str
    start: int
    end: int
    content: bool = True
    folded: str = ""
    value: Any = None
    initial: bool = False

    @property
    def span(self) -> Span:
        """Characters of the text this unit covers."""
        return self.start, self.end


@dataclass(frozen=True, eq=False)
class Reading:
    """A text as units in order, and the language its function words point to."""

    text: str
    language: str
    units: list[Unit] = field(default_factory=list)

    def content(self) -> list[Unit]:
        """The units that carry meaning of their own."""
        return [unit for unit in self.units if unit.content]


def _language(text: str) -> str:
    words = re.findall(r"[^\W\d_]+", fold(text[:400]))
    if words and "\u0400" <= words[0][0] <= "\u04ff":
        return "russian"
    best, most = "english", sum(word in STOPWORDS["english"] for word in words)
    for name in ("german", "french", "spanish", "italian", "portuguese", "dutch"):
        hits = sum(word in STOPWORDS[name] for word in words)
        if hits > most + 1 or (hits > most and hits >= 2):
            best, most = name, hits
    return best


class _Reader:
    def __init__(self, text: str, stored: datetime | None) -> None:
        self.text, self.stored = text, stored
        self.language = _language(text)
        self.stopwords = STOPWORDS.get(self.language, frozenset()) - _TELLING
        self.taken = bytearray(len(text) + 1)
        self.units: list[Unit] = []

    def claim(self, pattern: re.Pattern[str], make: Callable[[re.Match[str]], list[Unit]]) -> None:
        for match in pattern.finditer(self.text):
            start, end = match.span()
            if end > start and not any(self.taken[start:end]):
                made = make(match)
                if made:
                    self.taken[start:end] = b"\x01" * (end - start)
                    self.units.extend(made)

    def read(self) -> Reading:
        self.claim(_URL, self.url)
        self.claim(quantities.VERSION, lambda m: self.quantity(m, quantities.read_version(m)))
        self.claim(dates.CLOCK, self.clock)
        self.claim(dates.RATE, lambda m: [self.unit(m, dates.read_rate(m), "rate")])
        self.claim(dates.DATE, self.date)
        self.claim(quantities.FRACTION, lambda m: self.quantity(m, quantities.read_fraction(m)))
        self.claim(quantities.ORDINAL, lambda m: self.quantity(m, quantities.read_ordinal(m)))
        self.claim(quantities.QUANTITY, lambda m: self.quantity(m, quantities.read_quantity(m)))
        self.claim(_CODE, self.code)
        self.claim(_WORD, self.word)
        self.units.sort(key=lambda unit: unit.start)
        return Reading(self.text, self.language, self.units[:MAX_UNITS])

    def unit(self, match: re.Match[str], key: str, kind: str, value: Any = None) -> Unit:
        return Unit(key, kind, match.group(), match.start(), match.end(), value=value, folded=key)

    def url(self, match: re.Match[str]) -> list[Unit]:
        rest = match["rest"].rstrip("/.,;:").lower()
        return [
            Unit(
                rest,
                "code",
                match.group(),
                match.start(),
                match.start("rest") + len(match["rest"].rstrip(".,;:")),
                folded=rest,
            )
        ]

    def quantity(self, match: re.Match[str], value: quantities.Quantity | None) -> list[Unit]:
        return [self.unit(match, value.key, "quantity", value)] if value else []

    def clock(self, match: re.Match[str]) -> list[Unit]:
        minutes = dates.read_clock(match)
        return [self.unit(match, f"clock={minute}", "clock", minute) for minute in minutes or []]

    def date(self, match: re.Match[str]) -> list[Unit]:
        value = dates.read_date(match, self.stored)
        return [self.unit(match, value.key, "date", value)] if value else []

    def code(self, match: re.Match[str]) -> list[Unit]:
        text = match.group().rstrip("/.-")
        plain = text.replace("-", "")
        if not text or (plain.isalpha() and not text.startswith("-")):
            return []
        return [Unit(text.lower(), "code", text, match.start(), match.start() + len(text), folded=text.lower())]

    def word(self, match: re.Match[str]) -> list[Unit]:
        text, start, end = match.group(), match.start(), match.end()
        if not text[0].isalnum():
            if not (text[0] > "\u2190"):
                return []
            return [Unit(text, "mark", text, start, end, content=False, folded=text)]
        if _CJK.search(text):
            return [Unit(c, "word", c, start + i, start + i + 1, folded=c) for i, c in enumerate(text)]
        clitic = _CLITIC.match(text)
        made: list[Unit] = []
        if clitic and clitic[1]:
            head, tail = clitic[1], clitic[2].lower().replace("\u2019", "'")
            head = _IRREGULAR.get(head.lower(), head)
            made = [self.plain(head, start, start + len(clitic[1]))]
            if tail == "n't":
                made.append(Unit("not", "word", clitic[2], start + len(clitic[1]), end, content=False, folded="not"))
            return made
        if fold(text) in _BARE:
            return [
                self.plain(_BARE[fold(text)], start, end),
                Unit("not", "word", text, start, end, content=False, folded="not"),
            ]
        if fold(text) == "cannot":
            return [self.plain("can", start, end), Unit("not", "word", text, start, end, content=False, folded="not")]
        return [self.plain(text, start, end)]

    def plain(self, text: str, start: int, end: int) -> Unit:
        folded = fold(text)
        before = self.text[:start].rstrip()
        initial = not before or before[-1] in ".!?:;`\u201e\u00ab\u00bf\u00a1"
        stop = folded in self.stopwords
        capital = text[0].isupper() and not (text.isupper() and len(text) < 2)
        name = capital and not stop and self.language != "german" and not self.text.isupper()
        kind = "name" if name else "word"
        return Unit(
            key_of(text, self.language),
            kind,
            text,
            start,
            end,
            not stop and folded not in _TELLING,
            folded,
            initial=initial,
        )


@lru_cache(maxsize=4_096)
def read(text: str, stored: datetime | None = None) -> Reading:
    """Cut ``text`` (its first ``MAX_CHARACTERS``) into units; never raises for any string."""
    return _Reader(text[:MAX_CHARACTERS], stored).read()
