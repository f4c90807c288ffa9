"""Cutting a long text into windows that the embedder reads whole."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator

Counter = Callable[[str], int]

# Each pattern matches one unit with the separator that ends it, so that the units of a
# text always join to the text itself. Coarse to fine: paragraph, line, sentence, word.
_PARAGRAPH = re.compile(r".*?(?:\n[^\S\n]*\n\s*|\Z)", re.S)
_LINE = re.compile(r"[^\n]*(?:\n|\Z)")
_SENTENCE = re.compile(
    r".*?(?:[.!?\u2026\u0964\u061f]+[\"'\u2019\u201d\u00bb)\]]*\s+|[\u3002\uff01\uff1f\uff0e]+[\u300d\u300f\u201d]*|\Z)",
    re.S,
)
_WORD = re.compile(r"\s*\S+\s*", re.S)
_LEVELS = (_PARAGRAPH, _LINE, _SENTENCE, _WORD)

#: No text of more characters per token than this is counted just to learn that it is too
#: long: counting takes 1 to 2 microseconds a character, and a page would be counted once
#: as a text, once as a paragraph and once as a line.
_MAX_CHARS_PER_TOKEN = 20

#: Marks that belong to the character before them; a cut goes in front of that character.
_JOINERS = frozenset("\u200c\u200d\ufe0e\ufe0f\u20e3")


def split_windows(text: str, count_tokens: Counter, limit: int = 400) -> list[str]:
    """Cut ``text`` into windows of at most ``limit`` tokens, in order, without overlap.

    ``count_tokens`` gives the tokens of a text as the model reads it; what it answers for
    the empty text is taken as the fixed cost of one window. Cuts fall between paragraphs
    where that leaves windows at least half full, else between lines, sentences, words; a
    word is cut only when it alone is longer than a window. No character other than white
    space at a window's edge is lost. White space alone gives no window.

    ``ValueError`` when ``limit`` leaves no room for text. A single character that alone
    exceeds ``limit`` stays whole: there is nothing left to cut.
    """
    fixed = count_tokens("")
    if limit <= fixed:
        raise ValueError(f"limit {limit} leaves no room: an empty text already takes {fixed} tokens")
    if not text.strip():
        return []
    if len(text) <= limit * _MAX_CHARS_PER_TOKEN and count_tokens(text) <= limit:
        return [text.strip()]
    windows: list[str] = []
    for window in _fill(text, count_tokens, fixed, limit):
        # Sums of parts are close to the count of the whole, not a bound on it: joining can
        # move a token's border. The rare window that is over after all is cut in two.
        windows.extend(_fitting(window.strip(), count_tokens, limit))
    return windows


def _fill(text: str, count_tokens: Counter, fixed: int, limit: int) -> Iterator[str]:
    """Pack units greedily, splitting a unit only when it does not fit."""
    room = limit - fixed
    current: list[str] = []
    used = 0
    # A stack of (unit, level of the pattern that splits it), next unit on top.
    stack: list[tuple[str, int]] = [(text, 0)]
    while stack:
        unit, level = stack.pop()
        if not unit.strip():
            if current:
                current.append(unit)
            continue
        last = level >= len(_LEVELS)
        if not last and len(unit) > room * _MAX_CHARS_PER_TOKEN:
            cost = room + 1
        else:
            cost = count_tokens(unit) - fixed
        if used + cost <= room:
            current.append(unit)
            used += cost
        elif cost <= room and (used * 2 >= room or last):
            yield "".join(current)
            current, used = [unit], cost
        elif not last:
            parts = [m.group() for m in _LEVELS[level].finditer(unit) if m.group()]
            stack.extend((part, level + 1) for part in reversed(parts))
        else:
            pieces = _pieces(unit, cost, room)
            stack.extend((piece, level) for piece in reversed(pieces))
    if current:
        yield "".join(current)


def _pieces(word: str, cost: int, room: int) -> list[str]:
    """Cut one over-long word into pieces of about ``room`` tokens, by its own density."""
    size = max(1, min(len(word) // 2, len(word) * room * 9 // (cost * 10)))
    pieces: list[str] = []
    start = 0
    while start < len(word):
        end = _cut(word, start, min(start + size, len(word)))
        pieces.append(word[start:end])
        start = end
    return pieces if len(pieces) > 1 else [word[:1], word[1:]]


def _cut(word: str, start: int, end: int) -> int:
    """Move ``end`` back, by 16 characters at most, out of a combining or emoji sequence."""
    for candidate in range(end, max(start, end - 16), -1):
        if candidate >= len(word):
            return candidate
        after, before = word[candidate], word[candidate - 1]
        if after not in _JOINERS and before != "\u200d" and not unicodedata.combining(after):
            return candidate
    return end


def _fitting(window: str, count_tokens: Counter, limit: int) -> Iterator[str]:
    if not window:
        return
    if len(window) == 1 or count_tokens(window) <= limit:
        yield window
        return
    middle = len(window) // 2
    spaces = [m.start() for m in re.finditer(r"\s+", window) if m.start()]
    cut = min(spaces, key=lambda at: abs(at - middle)) if spaces else _cut(window, 0, middle)
    yield from _fitting(window[:cut].strip(), count_tokens, limit)
    yield from _fitting(window[cut:].strip(), count_tokens, limit)
