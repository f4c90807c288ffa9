"""How many tokens a text has for a model whose tokenizer is not at hand: never fewer than it has, as far as known.

Common tokenizers (WordPiece, SentencePiece, byte-level BPE) make 3 to 4 characters of an English word into a token, 2
to 3 of words in other alphabets, and up to 3 tokens of a character that is not in their vocabulary (its UTF-8 bytes).
Counted here: a token for each 3 letters begun of ASCII words, for each 2 of digits and other alphabets, for each
punctuation mark; 1.5 for an ideograph or syllable, and as many as UTF-8 bytes for what lies beyond (emoji). So windows
come out at two thirds of their limit rather than over it.
"""

from __future__ import annotations

import re

_ASCII_WORD = re.compile("[A-Za-z]+")
_DIGITS = re.compile("[0-9]+")
_WORD = re.compile("[\u00aa-\u2fff]+")
_IDEOGRAPHS = re.compile("[\u3000-\ud7ff\uf900-\ufdff\ufe30-\uffef]")
_BEYOND = re.compile("[\U00010000-\U0010ffff\ue000-\uf8ff\ufe00-\ufe2f\ufff0-\uffff]")
_MARKS = re.compile("[!-/:-@\\[-`{-~]")
_SPECIALS = 2


def estimated_tokens(text: str) -> int:
    """Tokens of `text` with the two that models put around it."""
    count = _SPECIALS + len(_MARKS.findall(text)) + text.count("\n")
    count += sum(-(-len(word) // 3) for word in _ASCII_WORD.findall(text))
    count += sum(-(-len(word) // 2) for pattern in (_DIGITS, _WORD) for word in pattern.findall(text))
    count += -(-3 * len(_IDEOGRAPHS.findall(text)) // 2)
    return count + sum(len(char.encode("utf-8")) for char in _BEYOND.findall(text))
