"""What changed between two texts, by words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

# Scripts written without spaces are compared by character, or one change would mark a whole paragraph.
_TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|\w+|\s+|.", re.DOTALL)
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
MOST_WORK = 9_000_000
"""Compared pairs, at worst; two texts of more words are compared by lines."""
CONTEXT = 160
"""Characters of unchanged text shown around a change."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text: "same", "gone" (in the old alone) or "new"; "gap" stands for what was left out."""

    kind: str
    text: str


def word_diff(old: str, new: str) -> list[Piece]:
    """Pieces that read as the old text without "new" and as the new one without "gone"; long same runs are cut."""
    left, right = _TOKEN.findall(old), _TOKEN.findall(new)
    if len(left) * len(right) > MOST_WORK:
        left, right = _LINE.findall(old), _LINE.findall(new)
    pieces: list[Piece] = []
    for tag, a, b, c, d in SequenceMatcher(
        None, left, right, autojunk=len(left) * len(right) > MOST_WORK
    ).get_opcodes():
        if tag == "equal":
            pieces.append(Piece("same", "".join(left[a:b])))
            continue
        if a < b:
            pieces.append(Piece("gone", "".join(left[a:b])))
        if c < d:
            pieces.append(Piece("new", "".join(right[c:d])))
    return _cut(_joined(pieces))


def _joined(pieces: list[Piece]) -> list[Piece]:
    """Lone white space between two changes belongs to them: "a b" -> "c d" is one change, not two."""
    result: list[Piece] = []
    index = 0
    while index < len(pieces):
        gone: list[str] = []
        new: list[str] = []
        while index < len(pieces):
            piece = pieces[index]
            between = piece.kind == "same" and piece.text.isspace() and bool(gone or new) and index + 1 < len(pieces)
            if piece.kind == "same" and not between:
                break
            if piece.kind in ("gone", "same"):
                gone.append(piece.text)
            if piece.kind in ("new", "same"):
                new.append(piece.text)
            index += 1
        if gone:
            result.append(Piece("gone", "".join(gone)))
        if new:
            result.append(Piece("new", "".join(new)))
        if index < len(pieces):
            result.append(pieces[index])
            index += 1
    return result


def _cut(pieces: list[Piece]) -> list[Piece]:
    shown: list[Piece] = []
    for place, piece in enumerate(pieces):
        first, last = place == 0, place == len(pieces) - 1
        if piece.kind != "same" or len(piece.text) <= 3 * CONTEXT:
            shown.append(piece)
            continue
        if not first:
            shown.append(Piece("same", piece.text[:CONTEXT]))
        shown.append(Piece("gap", "…"))
        if not last:
            shown.append(Piece("same", piece.text[-CONTEXT:]))
    return shown
