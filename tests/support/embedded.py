"""Helpers for the tests of the embedded services."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from metronix.embedded.home import Home
from metronix.embedded.home_lock import HomeLock
from metronix.embedded.outside import without_given
from metronix.embedded.services import Services


@contextmanager
def running_services(home: Home) -> Iterator[Services]:
    """PostgreSQL and Redis of the home, not migrated."""
    lock = HomeLock(home, "test")
    lock.acquire()
    try:
        services = Services(home, without_given(os.environ), durable=False)
        try:
            services.start()
            yield services
        finally:
            services.stop()
    finally:
        lock.release()


def processes_of(home: Path) -> dict[int, str]:
    """Id -> command of every process that names the home on its command line or in its environment."""
    found = {}
    for process in psutil.process_iter():
        try:
            command = " ".join(process.cmdline())
            if str(home) in command or process.environ().get("METRONIX_HOME") == str(home):
                found[process.pid] = command[:120]
        except (psutil.NoSuchProcess, psutil.AccessDenied, psutil.ZombieProcess):
            continue
    return found


def wait_until(condition: Callable[[], object], seconds: float = 30.0) -> None:
    """Return once the condition holds; fail when it does not within the time."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def modes_above(path: Path) -> dict[str, str]:
    """Mode and owner of the path and of every folder above it."""
    return {
        str(folder): f"{folder.stat().st_mode:o} {folder.stat().st_uid}:{folder.stat().st_gid}"
        for folder in (path, *path.parents)
    }
