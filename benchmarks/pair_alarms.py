"""False alarms among neighbours: ``make bench NAME=pair_alarms FILE=locomo.json``.

One statement a turn, as the retrieval benchmark stores them; each turn is compared with its nearest earlier and later
neighbours in its conversation (similarity 0.6 at least, ten at most). Every entry raised counts as false. Talk repeats
itself ("See you!", "Bye!"), so some of them are true duplicates; none is taken off.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from review.detection import Label, Statement, detect
from review.detection.detect import similarity_from
from review.detection.pairs import embed

NEIGHBOURS = 10
LEAST_SIMILARITY = 0.6


def turns(conversation: dict[str, Any]) -> list[tuple[str, datetime]]:
    """The turns of all sessions in order, half a minute apart."""
    found = []
    sessions = sorted((key for key in conversation if re.fullmatch(r"session_\d+", key)), key=lambda key: int(key[8:]))
    for name in sessions:
        begun = datetime.strptime(conversation[f"{name}_date_time"].upper(), "%I:%M %p ON %d %B, %Y").replace(
            tzinfo=UTC
        )
        for number, turn in enumerate(conversation[name]):
            caption = f" [image: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            found.append((f"{turn['speaker']}: {turn['text']}{caption}", begun + timedelta(seconds=30 * number)))
    return found


def neighbours(statements: list[Statement]) -> list[tuple[int, int]]:
    """Unordered pairs of each statement and its nearest ones."""
    vectors = np.array([statement.vector for statement in statements])
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -1.0)
    pairs = set()
    for index, row in enumerate(cosines):
        for other in np.argsort(-row)[:NEIGHBOURS]:
            if similarity_from(float(row[other])) >= LEAST_SIMILARITY:
                pairs.add((min(index, int(other)), max(index, int(other))))
    return sorted(pairs)


def main() -> None:
    """Count what is raised."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--show", action="store_true", help="print each entry raised")
    given = parser.parse_args()
    raised: Counter[str] = Counter()
    records = compared = 0
    spent = 0.0
    for sample in json.loads(given.file.read_text("utf-8")):
        told = turns(sample["conversation"])
        vectors = embed([text for text, _ in told])
        statements = [Statement(text, when, vector) for (text, when), vector in zip(told, vectors, strict=True)]
        records += len(statements)
        for one, two in neighbours(statements):
            begun = time.perf_counter()
            found = detect(statements[one], statements[two])
            spent += time.perf_counter() - begun
            compared += 1
            if found.alarm != Label.UNRELATED:
                raised[found.alarm] += 1
                if given.show:
                    print(f"{found.alarm}: {statements[one].text[:90]} || {statements[two].text[:90]}")
    total = sum(raised.values())
    print(f"{records} records, {compared} pairs compared, {1000 * spent / max(1, compared):.2f} ms a pair")
    print(f"{total} entries raised ({dict(raised)}), {1000 * total / max(1, records):.1f} per 1,000 records")


if __name__ == "__main__":
    main()
