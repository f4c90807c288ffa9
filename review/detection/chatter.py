"""Signs that a text is conversation rather than a statement of fact; the alarm needs them, the label does not."""

from __future__ import annotations

import re

from .evidence import Evidence, Side

_SECOND = re.compile(
    r"\b(?:you|your|yours|you're|you've|you'll|du|dein\w*|ihr|tu|ton|votre|vous|tú|usted|ты|вы)\b", re.IGNORECASE
)
_FIRST = re.compile(r"\b(?:i|i'm|i've|i'll|i'd|me|my|mine|ich|mein\w*|je|moi|mon|yo|mi|я|мой)\b", re.IGNORECASE)
_TALK = re.compile(
    r"\b(?:thanks|thank|hey|hi|hello|wow|yeah|yep|yes|haha|bye|congrats|congratulations|awesome|amazing|great|"
    r"cool|glad|"
    r"sorry|absolutely|definitely|really|totally|exactly|agreed|sounds|love|appreciate|nice|good luck|oh|aw|yay|let's|"
    r"danke|hallo|merci|bonjour|gracias|hola|спасибо|привет)\b",
    re.IGNORECASE,
)
CHATTER_FEATURES = frozenset({"asks", "exclaims", "first_person", "second_person", "small_talk", "speakers_differ"})
_SPEAKER = re.compile(r"^\s*([^\W\d_][\w .'-]{0,30}):\s")


def chatter_features(found: Evidence) -> dict[str, float]:
    """Questions, exclamations, persons addressed, small talk, and two different speakers."""
    a, b = found.a, found.b
    speakers = [
        match.group(1).casefold() if match else "" for match in map(_SPEAKER.match, (a.reading.text, b.reading.text))
    ]
    return {
        "asks": float("?" in a.reading.text or "?" in b.reading.text),
        "exclaims": min(a.reading.text.count("!") + b.reading.text.count("!"), 4) / 2,
        "first_person": _hits(_FIRST, a, b),
        "second_person": _hits(_SECOND, a, b),
        "small_talk": _hits(_TALK, a, b),
        "speakers_differ": float(all(speakers) and speakers[0] != speakers[1]),
    }


def substance(found: Evidence) -> int:
    """Content words of the side that says less, without small talk and the speaker's name."""
    return min(_said(found.a), _said(found.b))


def _said(side: Side) -> int:
    text = side.reading.text
    talk = [match.span() for match in _TALK.finditer(text)]
    speaker = _SPEAKER.match(text)
    if speaker:
        talk.append(speaker.span())
    return sum(
        unit.content and unit.kind != "mark" and not any(start <= unit.start < end for start, end in talk)
        for unit in side.reading.units
    )


def _hits(pattern: re.Pattern[str], a: Side, b: Side) -> float:
    return min(sum(1 for side in (a, b) for _ in pattern.finditer(side.reading.text)), 6) / 3
