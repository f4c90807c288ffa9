"""Entities that can be told by their form alone: addresses, tickets, identifiers, handles, tags."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory.entities.vocabulary import Entity, EntityKind, entity

_URL = re.compile(r"\b(?:https?|ftp)://[^\s<>\"'`]+|\bwww\.[^\s<>\"'`]+", re.I)
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.)+[^\W\d_]{2,24}\b")
# Jira's project keys are at least two capitals; "#123" is how forges write an issue.
_TICKET = re.compile(r"(?<![\w-])[A-Z][A-Z0-9]{1,9}-\d{1,7}\b(?![-\w])|(?<![\w#&/])#\d{1,7}\b(?!\w)")
_HANDLE = re.compile(r"(?<![\w@/.])@[^\W_][\w.-]{0,62}")
_TAG = re.compile(r"(?<![\w#&/])#(?=\w*[^\W\d_])[\w-]{1,64}")
_SNAKE = re.compile(r"(?<![\w.-])_{0,2}[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)+_{0,2}(?!\w)")
_CAMEL = re.compile(r"(?<![\w.-])(?:[a-z]+\d*(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]+){2,}[A-Z]*)(?!\w)")
_VERSION = re.compile(
    r"(?<![\w.-])v\d+(?:\.\d+){0,3}(?:-[a-z]+\.?\d*)?\b|(?<![\w.-])\d+(?:\.\d{1,3}){2}(?:-[a-z]+\.?\d*)?(?![\w.])"
)
_FILE = re.compile(r"(?<![\w./-])(?:[\w-]+/)*[\w-]+\.(?:[a-z]{1,4}\d?|[A-Z]{2,4})\b(?![\w/(])")
_MODEL = re.compile(r"(?<![\w.-])[a-z]+-\d+(?:\.\d+)*[a-z]*(?:-[a-z]+)*(?!\w)", re.I)
_CLOSING = ".,;:!?)]}>\u00bb\u201d\u2019"

# Camel case of prose: McDonald, LaTeX and the like are names, and found as names.
_PROSE_CAMEL = re.compile(r"(?:Mc|Mac|De|La|Le|Van|O)[A-Z][a-z]+\Z")


# What a text must hold for a pattern to be worth trying: most memories are plain prose, and a scan for one character
# costs a hundredth of a pattern.
_HINTS: dict[re.Pattern[str], re.Pattern[str]] = {
    _URL: re.compile(r"://|www\."),
    _EMAIL: re.compile("@"),
    _TICKET: re.compile(r"[A-Z0-9]-\d|#\d"),
    _HANDLE: re.compile("@"),
    _TAG: re.compile("#"),
    _SNAKE: re.compile("_"),
    _CAMEL: re.compile("[a-z0-9][A-Z]"),
    _VERSION: re.compile(r"v\d|\d\.\d"),
    _FILE: re.compile(r"\w\.\w"),
    _MODEL: re.compile(r"[^\W\d_]-\d"),
}


def formal_entities(text: str) -> tuple[list[Entity], str]:
    """The entities with a form of their own, and the text with blanks in their place (same length)."""
    found: list[Entity] = []
    rest = text
    for kind, pattern in (
        (EntityKind.URL, _URL),
        (EntityKind.EMAIL, _EMAIL),
        (EntityKind.TICKET, _TICKET),
        (EntityKind.HANDLE, _HANDLE),
        (EntityKind.TAG, _TAG),
        (EntityKind.IDENTIFIER, _SNAKE),
        (EntityKind.IDENTIFIER, _CAMEL),
        (EntityKind.IDENTIFIER, _VERSION),
        (EntityKind.IDENTIFIER, _FILE),
        (EntityKind.IDENTIFIER, _MODEL),
    ):
        if not _HINTS[pattern].search(rest):
            continue
        spans = list(_matches(pattern, rest))
        found += [_formal(kind, name) for _, name in spans]
        rest = _blanked(rest, spans)
    return found, rest


def _blanked(text: str, spans: list[tuple[int, str]]) -> str:
    parts: list[str] = []
    end = 0
    for start, name in spans:
        parts += [text[end:start], " " * len(name)]
        end = start + len(name)
    return "".join([*parts, text[end:]])


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, str]]:
    for match in pattern.finditer(text):
        name = match.group().rstrip(_CLOSING) if pattern in (_URL, _HANDLE) else match.group()
        if pattern is _CAMEL and _PROSE_CAMEL.match(name):
            continue
        if len(name) > 1:
            yield match.start(), name


def _formal(kind: EntityKind, name: str) -> Entity:
    if kind is EntityKind.URL:
        # The scheme, "www." and a closing slash make no other page.
        plain = re.sub(r"^(?:[a-z]+://)?(?:www\.)?", "", name, flags=re.I).rstrip("/")
        return Entity(kind, entity(kind, plain).key, name[:200])
    return entity(kind, name)
