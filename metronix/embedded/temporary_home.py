"""Homes that go with the process that made them, and those that such a process left behind when it was killed."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from metronix.embedded.home import Home, open_home
from metronix.embedded.home_lock import HomeLock, HomeTaken
from metronix.embedded.places import outside_folders
from metronix.embedded.records import ChildRecords

PREFIX = "metronix-temporary-"
ABANDONED_AFTER_SECONDS = 300.0


@contextmanager
def temporary_home(folder: Path | None = None) -> Iterator[Home]:
    """A home that is removed, with every folder it has elsewhere, when the block ends.

    It may be entered (not read) by others, so that as root PostgreSQL's user finds its folder inside.
    """
    base = folder or Path(tempfile.gettempdir())
    _sweep(base)
    path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=base))
    path.chmod(0o711)
    home = open_home(path)
    try:
        yield home
    finally:
        remove_home(home)


def remove_home(home: Home) -> None:
    """Remove a home that nothing uses, with the folders it has elsewhere."""
    for folder in (*outside_folders(home), home.path):
        shutil.rmtree(folder, ignore_errors=True)


def _sweep(base: Path) -> None:
    """Remove our own temporary homes that no process holds: a killed test run could not do it itself."""
    for path in base.glob(f"{PREFIX}*"):
        try:
            status = path.lstat()
        except FileNotFoundError:
            continue
        if status.st_uid != os.getuid() or time.time() - status.st_mtime < ABANDONED_AFTER_SECONDS:
            continue
        home = open_home(path)
        lock = HomeLock(home, "sweep")
        try:
            lock.acquire()
        except HomeTaken:
            continue
        try:
            ChildRecords(home).end_leftovers()
            remove_home(home)
        finally:
            lock.release()
