"""Features of likeness: how much of either text the other one has, and where they part."""

from __future__ import annotations

from .overview import NAMES, VALUES, Overview


def likeness(view: Overview, cued: bool) -> dict[str, float]:
    """Similarity, coverage, left-over words and the slots in which something else stands."""
    found, alignment = view.found, view.alignment
    slots, left_a, left_b = alignment.slots, len(alignment.a_rest), len(alignment.b_rest)
    longer = (len(view.b_units) - len(view.a_units)) / 5
    keys_a, keys_b = ([unit.key for unit in side.reading.units] for side in (found.a, found.b))
    in_conflict = found.values or found.opposites or view.flipped or found.scopes or found.persons
    clean = float(not (in_conflict or cued or (view.names_a and view.names_b)))
    agreeing = [one.kind for one, _, _ in alignment.pairs]
    return {
        "similarity": view.similarity,
        "similar_clean": view.similarity * clean,
        "cover_a": view.a_cover,
        "cover_b": view.b_cover,
        "cover_gap": view.a_cover - view.b_cover,
        "cover_clean": min(view.a_cover, view.b_cover) * clean,
        "same_order": alignment.order,
        "same_words": float(keys_a == keys_b),
        "left_a": min(left_a, 6) / 3,
        "left_b": min(left_b, 6) / 3,
        "left_both": min(view.other, 4) / 2,
        "left_none": float(view.other == 0),
        "all_matched": float(not left_a and not left_b),
        "one_slot": float(len(slots) == 1 and left_a <= 2 and left_b <= 2),
        "more_slots": float(len(slots) >= 2),
        "slot_at_end": float(bool(slots) and slots[-1].a_place > 0.95 and slots[-1].b_place > 0.95),
        "slot_at_start": float(bool(slots) and slots[0].a_place < 0.5 and slots[0].b_place < 0.5),
        "values_agree": min(sum(kind in VALUES for kind in agreeing), 2) / 2,
        "names_agree": min(sum(kind in NAMES for kind in agreeing), 3) / 3,
        "longer_b": max(-1.0, min(1.0, longer)),
        "longer": min(1.0, abs(longer)),
    }
