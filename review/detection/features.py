"""The named numbers a pair is judged by; each can be said in a sentence.

Directional features look at B as the later statement.
"""

from __future__ import annotations

from .evidence import Evidence
from .features_change import change, only_in
from .features_conflict import conflict
from .features_likeness import likeness
from .overview import Overview


def features(found: Evidence, similarity: float) -> dict[str, float]:
    """All features of a pair, in a fixed order of names."""
    view = Overview(found, similarity)
    cued = only_in(found.b.strong, found.a.strong) > 0
    return likeness(view, cued) | conflict(view) | change(view)
