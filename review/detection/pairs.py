"""Labelled pairs from JSON Lines, as statements and as the numbers a model is fitted on."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from metronix.ports.embedder import get_embedder

from .chatter import chatter_features
from .detect import compare
from .model import LABELS
from .statement import Label, Statement

DATA = Path(__file__).with_name("data")
OWN = (DATA / "own_pairs.jsonl", DATA / "check_pairs.jsonl")
CHATTER = DATA / "chatter.txt"
_BATCH = 32


@dataclass(frozen=True)
class Pair:
    """Two statements, the earlier one first, and how they relate."""

    a: Statement
    b: Statement
    label: Label
    direction: str | None = None
    name: str = ""


def embed(texts: list[str]) -> NDArray[np.float32]:
    """Passage vectors in batches, each distinct text once."""
    distinct = list(dict.fromkeys(texts))
    embedder = get_embedder()
    parts = [embedder.embed_passages(distinct[start : start + _BATCH]) for start in range(0, len(distinct), _BATCH)]
    place = {text: index for index, text in enumerate(distinct)}
    return np.concatenate(parts)[[place[text] for text in texts]]


def load_pairs(path: Path) -> list[Pair]:
    """The pairs of a file: one object a line with a, b, a_time, b_time, label and direction."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    vectors = embed([row[side] for row in rows for side in ("a", "b")])
    return [
        Pair(
            Statement(row["a"], datetime.fromisoformat(row["a_time"]), vectors[2 * index]),
            Statement(row["b"], datetime.fromisoformat(row["b_time"]), vectors[2 * index + 1]),
            Label(row["label"]),
            row.get("direction"),
            str(row.get("id", index)),
        )
        for index, row in enumerate(rows)
    ]


def load_chatter() -> list[Pair]:
    """Every two turns of a conversation: all of them unrelated."""
    turns = CHATTER.read_text("utf-8").splitlines()
    statements = [Statement(turn, None, vector) for turn, vector in zip(turns, embed(turns), strict=True)]
    return [Pair(a, b, Label.UNRELATED) for a, b in combinations(statements, 2)]


def table(pairs: list[Pair]) -> tuple[list[str], NDArray[np.float64], NDArray[np.int64]]:
    """Names of the features, their values row by row, and the index of each pair's label."""
    rows, names = [], []
    for pair in pairs:
        found, values = compare(pair.a, pair.b)
        values |= chatter_features(found)
        rows.append(list(values.values()))
        names = list(values)
    labels = np.array([LABELS.index(pair.label) for pair in pairs], dtype=np.int64)
    return names, np.array(rows, dtype=np.float64), labels
