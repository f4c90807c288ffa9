"""Bulk import against the embedder alone, on the same texts in the same run: `make bench NAME=importing FILE=<path>`.

The floor is the embedder's own rate, without any storing. Both take the texts in the order of the file; the file's
conversations are halved between the two measurements, A B A B, so that a drifting machine meets both.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.support import heading, manage, platform, table

LEAST_SHARE = 0.7
ROUNDS = 4
TURNS = 120


def main(arguments: Sequence[str]) -> int:
    """Print texts/s of both and their ratio; 1 when it is below 0.7."""
    samples = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    texts = turns(samples)
    rows: list[tuple[object, ...]] = []
    with platform() as live, tempfile.TemporaryDirectory() as folder:
        from metronix.ports.embedder import get_embedder

        embedder = get_embedder()
        embedder.embed_passages(texts[:20])
        for number in range(ROUNDS):
            part = texts[number * TURNS : (number + 1) * TURNS]
            began = time.perf_counter()
            embedder.embed_passages(part)
            alone = len(part) / (time.perf_counter() - began)
            file = Path(folder) / f"{number}.jsonl"
            file.write_text(
                "\n".join(json.dumps({"agent_id": "bench", "session_id": "s", "content": text}) for text in part),
                encoding="utf-8",
            )
            imported = rate(manage(live, "import_conversations", str(file)))
            rows.append((number + 1, len(part), alone, imported, imported / alone))
    heading("import against the embedder alone, texts/s")
    table(["round", "texts", "embedder", "import", "share"], rows)
    shares = sorted(float(str(row[4])) for row in rows)
    median = (shares[ROUNDS // 2 - 1] + shares[ROUNDS // 2]) / 2
    print(f"\nmedian share {median:.2f}, floor {LEAST_SHARE}")
    return 0 if median >= LEAST_SHARE else 1


def rate(summary: str) -> float:
    """The rate in the command's summary line."""
    found = re.search(r"\(([\d.]+) stored/s\)", summary)
    if found is None:
        raise RuntimeError(f"no rate in {summary!r}")
    return float(found[1])


def turns(samples: Sequence[dict[str, Any]]) -> list[str]:
    """All turns, as they are stored."""
    return [
        f"{turn['speaker']}: {turn['text']}"
        for sample in samples
        for key, session in sample["conversation"].items()
        if re.fullmatch(r"session_\d+", key)
        for turn in session
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
