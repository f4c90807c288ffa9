"""Redis and the worker killed while conversations are imported: nothing acknowledged is lost, all is completed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from metronix.embedded.one_off import manage_py
from tests.support.live import LivePlatform, live_platform_process

COUNT = 300
LONG_EVERY = 50
ROUNDS = 3
WAIT_SECONDS = 180


def write_lines(path: Path) -> None:
    """Short lines, and every 50th too long to be embedded within the store: the worker's."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(COUNT):
            text = f"Log entry {number}: pump {number % 7} was checked and found in order."
            if number % LONG_EVERY == 0:
                text = "\n".join(f"{text} Section {part} repeats the safety rules for the crew." for part in range(120))
            file.write(json.dumps({"agent_id": "crew", "session_id": "watch", "content": text}) + "\n")


def statuses(live: LivePlatform) -> dict[str, int]:
    """embedding_status -> number of records."""
    with psycopg.connect(live.environment["DATABASE_OWNER_URL"]) as connection:
        return dict(connection.execute("SELECT embedding_status, count(*) FROM memory_records GROUP BY 1").fetchall())


@pytest.mark.xdist_group("faults")
def test_killed_redis_and_worker_lose_nothing(tmp_path: Path) -> None:
    lines = tmp_path / "lines.jsonl"
    write_lines(lines)
    with live_platform_process() as live:
        importing = subprocess.Popen(
            [sys.executable, str(manage_py()), "import_conversations", str(lines)],
            env=live.environment | {"PATH": "/usr/bin:/bin"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        killed = 0
        # Three rounds: a child that dies again and again at once is not restarted for ever, and should not be.
        for _ in range(ROUNDS):
            for name in ("redis", "worker"):
                try:
                    os.kill(live.pids[name], signal.SIGKILL)
                    killed += 1
                except (KeyError, ProcessLookupError):
                    continue  # between its death and its successor's start
            time.sleep(4)
        printed, complaints = importing.communicate(timeout=WAIT_SECONDS)
        assert printed.startswith(f"{COUNT} stored, 0 already there, 0 not taken"), complaints
        assert killed >= 2
        end = time.monotonic() + WAIT_SECONDS
        while statuses(live) != {"ready": COUNT}:
            assert time.monotonic() < end, statuses(live)
            time.sleep(1)
