"""What a statement is about: the words before its verb."""

from __future__ import annotations

from .attributes import MULTIPLE, SINGLE
from .evidence import Side
from .lexicon import word_set
from .units import Unit

_AUXILIARIES = word_set(
    "is are was were be been has have had does do did can could will would shall should may might must got gets "
    "ist sind war hat haben kann wird wurde muss est sont a ont peut doit es son esta estan fue tiene puede"
)


def subject_of(side: Side) -> list[Unit]:
    """The content units before the first verb-like word; the first two if there is none."""
    units = side.reading.units
    for index, unit in enumerate(units):
        if index and unit.kind == "word" and _verb_like(unit):
            return [one for one in units[:index] if one.content] or [one for one in units if one.content][:1]
    return [unit for unit in units if unit.content][:2]


def _verb_like(unit: Unit) -> bool:
    folded = unit.folded
    if folded in _AUXILIARIES or unit.key in SINGLE or unit.key in MULTIPLE:
        return True
    inflected = len(folded) > 3 and folded.endswith(("ed", "es")) and unit.text[0].islower()
    return unit.content and not unit.initial and inflected
