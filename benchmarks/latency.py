"""What an agent waits: `memory_search` and `memory_store` over MCP, against a floor of the same run.

`make bench NAME=latency [ARGS="--records 10000"]`. The floor of a search is one embedding of the query plus the
prepared
SQL of its legs on a connection like the server's, alternating call by call with the real search. Queries are distinct,
nothing is cached. Then the same during an import, and stores of 20 words with the worker running.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import psycopg

from benchmarks.corpus import fill, sentences
from benchmarks.support import Mcp, heading, platform, table
from tests.support.live import LivePlatform

WORKSPACE = "latency"
AGENT = "bench"
ROUNDS = 120
RATIO, EXTRA_MS, BUSY_RATIO, STORE_RATIO = 1.6, 10.0, 3.0, 2.0


def main(arguments: Sequence[str]) -> int:
    """Print the table; 1 when a bound is missed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, default=10_000)
    options = parser.parse_args(arguments)
    with platform() as live:
        fill(WORKSPACE, AGENT, options.records)
        analyse(live)
        mcp = Mcp(live.base_url, AGENT)
        queries = iter(sentences(4 * ROUNDS + 50, 99))
        floor = Floor(live)
        print(floor.explained(next(queries)))
        for _ in range(10):
            search(mcp, next(queries))
            floor(floor.prepared(next(queries)))
        ready = iter([floor.prepared(next(queries)) for _ in range(ROUNDS)])
        idle_floor, idle = paired(lambda: floor(next(ready)), lambda: search(mcp, next(queries)))
        with importing(live):
            busy = [timed(lambda: search(mcp, next(queries))) for _ in range(ROUNDS // 2)]
        embedding, stored = paired(lambda: floor.embed_passage(next_text()), lambda: store(mcp, next_text()))
    heading(f"latency at {options.records:,} records, ms")
    rows = [
        ("floor: embedding + SQL of the legs", *quantiles(idle_floor)),
        ("memory_search, idle", *quantiles(idle)),
        ("memory_search, during an import", *quantiles(busy)),
        ("floor: one embedding of 20 words", *quantiles(embedding)),
        ("memory_store of 20 words", *quantiles(stored)),
    ]
    table(["", "p50", "p95"], rows)
    base, real, loaded, one, kept = (row[1] for row in rows)
    bounds = {
        f"search {real:.1f} <= {RATIO} x floor = {RATIO * base:.1f}": real <= RATIO * base,
        f"search {real:.1f} <= floor + {EXTRA_MS:.0f} = {base + EXTRA_MS:.1f}": real <= base + EXTRA_MS,
        f"during import {loaded:.1f} <= {BUSY_RATIO:.0f} x idle = {BUSY_RATIO * real:.1f}": loaded <= BUSY_RATIO * real,
        f"store {kept:.1f} <= {STORE_RATIO:.0f} x embedding = {STORE_RATIO * one:.1f}": kept <= STORE_RATIO * one,
    }
    print()
    for text, held in bounds.items():
        print(("held    " if held else "MISSED  ") + text)
    return 0 if all(bounds.values()) else 1


def timed(work: Callable[[], object]) -> float:
    """Milliseconds."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def paired(first: Callable[[], object], second: Callable[[], object]) -> tuple[list[float], list[float]]:
    """Both in turn, so that a drifting machine meets both."""
    pairs = [(timed(first), timed(second)) for _ in range(ROUNDS)]
    return [a for a, _ in pairs], [b for _, b in pairs]


def quantiles(values: Sequence[float]) -> tuple[float, float]:
    """p50 and p95."""
    return statistics.median(values), statistics.quantiles(values, n=20)[18]


def next_text() -> str:
    """A text of 20 words that was not there before."""
    return f"{random.getrandbits(40):x} " + " ".join(random.choice(WORDS) for _ in range(19))


WORDS = " ".join(sentences(40, 5)).split()


def search(mcp: Mcp, query: str) -> None:
    """One search as an agent makes it."""
    mcp.call("memory_search", query=query, agent_id=AGENT, workspace_id=WORKSPACE)


def store(mcp: Mcp, text: str) -> None:
    """One durable store."""
    mcp.call("memory_store", content=text, agent_id=AGENT, workspace_id=WORKSPACE)


def analyse(live: LivePlatform) -> None:
    """Fresh planner statistics, as autovacuum would make them."""
    with psycopg.connect(live.environment["DATABASE_OWNER_URL"], autocommit=True) as owner:
        owner.execute("VACUUM ANALYZE memory_records")
        owner.execute("VACUUM ANALYZE memory_embeddings")


class Floor:
    """One embedding and the SQL of the legs, prepared, as the application role."""

    def __init__(self, live: LivePlatform) -> None:
        from metronix.ports.embedder import get_embedder

        self.embedder = get_embedder()
        self.connection = psycopg.connect(live.environment["DATABASE_URL"], prepare_threshold=0)

    def embed_passage(self, text: str) -> None:
        """What a store cannot do without."""
        self.embedder.embed_passages([text])

    def prepared(self, query: str) -> tuple[str, Callable[[Any], list[Any]]]:
        """The query, and the arguments of its SQL but for the vector: its own words and entities, as the product's."""
        from memory.search.candidates import call_arguments, lexical_query
        from memory.search.entity_leg import asked_entities
        from memory.search.request import search_request
        from memory.services.embeddings import current_model
        from metronix.tenancy.context import tenant
        from metronix.tenancy.principal import Door, Principal, PrincipalType, Role

        principal = Principal("bench", PrincipalType.MODEL, Role.EDITOR, frozenset({WORKSPACE}), Door.COMMAND).at(
            WORKSPACE, AGENT
        )
        request = search_request(query=query, top_k=5, statuses=["active"])
        with tenant(principal):
            lexical = lexical_query(principal, query)
            entities = [one.id for one in asked_entities(WORKSPACE, query)]
            model = current_model()
        return query, lambda vector: call_arguments(principal, request, lexical, vector, model, entities)

    def __call__(self, prepared: tuple[str, Callable[[Any], list[Any]]], prefix: str = "") -> list[Any]:
        """Embed and run."""
        from memory.search.candidates import CALL

        query, arguments = prepared
        vector = self.embedder.embed_query(query)
        with self.connection.transaction():
            self.connection.execute("SELECT set_config('metronix.workspaces', %s, true)", [WORKSPACE])
            return self.connection.execute(prefix + CALL, arguments(vector)).fetchall()

    def explained(self, query: str) -> str:
        """The plan of the call that finds the candidates."""
        return "\n".join(row[0] for row in self(self.prepared(query), "EXPLAIN (ANALYZE, COSTS OFF) "))


class importing:
    """An import running in the background, from before the block until after it."""

    def __init__(self, live: LivePlatform) -> None:
        self.live = live
        self.folder = tempfile.TemporaryDirectory()

    def __enter__(self) -> None:
        file = Path(self.folder.name) / "import.jsonl"
        file.write_text("\n".join(json.dumps({"agent_id": "other", "content": text}) for text in sentences(4000, 7)))
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "import_conversations", str(file), "--workspace", "importing"],
            env={**os.environ, **self.live.environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(5)

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is not None:
            raise RuntimeError("the import ended before the searches did")
        self.process.terminate()
        self.process.wait(30)
        self.folder.cleanup()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
