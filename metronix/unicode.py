"""Normalising text whose marks never end.

CPython sorts combining marks by insertion: 32,000 alternating ones take seconds, with the interpreter's lock held, and
a whole process waits. No writing system stacks more than a few; Unicode's Stream-Safe Text Format (UAX #15, section 13)
allows 30 and puts a grapheme joiner (U+034F, of combining class 0) where there are more, which ends the sorting.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

MOST_MARKS = 30
_JOINER = "\u034f"


def _marks() -> str:
    """A regex class of all characters with a combining class; there are none beyond the second plane."""
    points = [point for point in range(0x20000) if unicodedata.combining(chr(point))]
    return "[" + "".join(f"\\U{point:08x}" for point in points) + "]"


_RUN = re.compile(f"({_marks()}{{{MOST_MARKS}}})(?={_marks()})")


def normalised(form: Literal["NFC", "NFD", "NFKC", "NFKD"], text: str) -> str:
    """`unicodedata.normalize` in time linear in the text; the same unless more than 30 marks follow each other."""
    if text.isascii():
        return text
    return unicodedata.normalize(form, _RUN.sub(rf"\1{_JOINER}", text))
