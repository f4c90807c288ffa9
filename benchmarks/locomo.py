"""Retrieval on conversations in LoCoMo's format, through MCP over HTTP, beside dense-only and BM25-only.

`make bench NAME=locomo FILE=<path>`. One workspace per conversation, one record per turn, as `import_conversations`
stores them; each question of categories 1 to 4 with evidence is one `memory_search`. Scored are the places of the
evidence turns (recall@5/10/20, MRR of the first) and of their sessions in order of their first hit (recall@10).
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.support import Mcp, folded, heading, manage, platform, table

TOP_K = 50
CATEGORIES = (1, 2, 3, 4)
FLOORS = {"recall@10": 0.72, "MRR": 0.50, "session@10": 0.92}
METRICS = ("recall@5", "recall@10", "recall@20", "MRR", "session@10")
Ranking = Callable[[str, str], Sequence[str]]
"""(workspace, question) -> dia_ids, best first."""


def main(arguments: Sequence[str]) -> int:
    """Run all rankings and print the table; 1 when a floor is missed."""
    path = Path(arguments[0])
    samples = json.loads(path.read_text(encoding="utf-8"))
    workspaces = [str(sample["sample_id"]) for sample in samples]
    with platform() as live:
        print(manage(live, "import_conversations", str(path.absolute())))
        while not folded(workspaces):
            time.sleep(0.5)
        mcp = Mcp(live.base_url)
        rows = {
            "BM25 only": score(samples, bm25_only(workspaces)),
            "dense only": score(samples, dense_only(workspaces)),
            "memory_search": score(samples, through_mcp(mcp)),
        }
    heading(f"locomo: {path.name}, {len(samples)} conversations")
    table(["ranking", *METRICS, "questions"], [[name, *values.values()] for name, values in rows.items()])
    missed = [
        f"{name} {rows['memory_search'][name]:.3f} < {floor}"
        for name, floor in FLOORS.items()
        if rows["memory_search"][name] < floor
    ]
    print("\nfloors: " + ("; ".join(missed) or "all reached"))
    return 1 if missed else 0


def score(samples: Iterable[dict[str, Any]], ranking: Ranking) -> dict[str, float]:
    """Mean of each metric over the questions."""
    values: dict[str, list[float]] = defaultdict(list)
    for sample in samples:
        for question in sample["qa"]:
            evidence = set(question.get("evidence") or ())
            if question["category"] not in CATEGORIES or not evidence:
                continue
            found = ranking(str(sample["sample_id"]), question["question"])
            for k in (5, 10, 20):
                values[f"recall@{k}"].append(len(evidence & set(found[:k])) / len(evidence))
            values["MRR"].append(next((1 / place for place, turn in enumerate(found, 1) if turn in evidence), 0.0))
            wanted = {turn.split(":")[0] for turn in evidence}
            sessions = list(dict.fromkeys(turn.split(":")[0] for turn in found))
            values["session@10"].append(len(wanted & set(sessions[:10])) / len(wanted))
    means: dict[str, Any] = {name: sum(values[name]) / len(values[name]) for name in METRICS}
    return means | {"questions": len(values["MRR"])}


def through_mcp(mcp: Mcp) -> Ranking:
    """The product: what an agent gets."""

    def rank(workspace: str, question: str) -> list[str]:
        reply = mcp.call("memory_search", query=question, agent_id=workspace, workspace_id=workspace, top_k=TOP_K)
        return [str(hit["record"]["metadata"].get("dia_id", "")) for hit in reply["results"]]

    return rank


def dense_only(workspaces: Sequence[str]) -> Ranking:
    """Exact cosine over the vectors that the product stored."""
    from memory.models import Embedding
    from metronix.ports.embedder import get_embedder
    from metronix.tenancy.context import workspaces_visible

    stored: dict[str, tuple[list[str], np.ndarray]] = {}
    for workspace in workspaces:
        with workspaces_visible(workspace):
            rows = list(Embedding.objects.values_list("record__metadata__dia_id", "embedding"))
        stored[workspace] = ([row[0] for row in rows], np.array([np.asarray(row[1]) for row in rows]))

    def rank(workspace: str, question: str) -> list[str]:
        turns, vectors = stored[workspace]
        order = np.argsort(-(vectors @ get_embedder().embed_query(question)), kind="stable")
        return list(dict.fromkeys(turns[place] for place in order))[:TOP_K]

    return rank


def bm25_only(workspaces: Sequence[str]) -> Ranking:
    """Plain BM25 over the stored texts, with the product's own analysis."""
    from memory.models import MemoryRecord
    from memory.terms.analysis import query_terms, terms
    from memory.terms.lexical import idf, saturation
    from metronix.tenancy.context import workspaces_visible

    stored: dict[str, list[tuple[str, Any]]] = {}
    for workspace in workspaces:
        with workspaces_visible(workspace):
            rows = list(MemoryRecord.objects.values_list("metadata__dia_id", "content"))
        stored[workspace] = [(turn, terms(content)) for turn, content in rows]

    def rank(workspace: str, question: str) -> list[str]:
        rows = stored[workspace]
        average = sum(counter.total() for _, counter in rows) / len(rows)
        words = query_terms(question)
        weight = {word: idf(len(rows), sum(word in counter for _, counter in rows)) for word in words}
        scored = [
            (
                math.fsum(
                    weight[word] * saturation(counter[word], counter.total(), average)
                    for word in words
                    if counter[word]
                ),
                turn,
            )
            for turn, counter in rows
        ]
        return [turn for _, turn in sorted(scored, key=lambda pair: -pair[0])[:TOP_K]]

    return rank


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
