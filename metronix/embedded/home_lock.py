"""One owner per home: an flock that the kernel frees with its holder, and a note of who holds it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metronix.embedded.files import read_json, write_json
from metronix.embedded.home import Home
from metronix.embedded.problems import StartProblem


@dataclass(frozen=True, slots=True)
class Holder:
    """Who runs this home's services; `ready` once they can be used."""

    pid: int
    what: str
    ready: bool


class HomeTaken(StartProblem):
    """Another process runs this home's services."""

    def __init__(self, home: Home, holder: Holder) -> None:
        super().__init__(
            f"{home.path} is in use: `{holder.what}` with process id {holder.pid} runs its services.",
            f"Use that one, stop it (kill {holder.pid}), or start another home: METRONIX_HOME=<folder> PORT=<port>.",
        )
        self.holder = holder


class HomeLock:
    """Held from before the first child starts until after the last has ended."""

    def __init__(self, home: Home, what: str) -> None:
        self._home = home
        self._what = what
        self._path = home.run / "lock"
        self._note = home.run / "holder.json"
        self._descriptor: int | None = None

    def acquire(self) -> None:
        """Take the lock at once or raise HomeTaken."""
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise HomeTaken(self._home, current_holder(self._home)) from None
        self._descriptor = descriptor
        self._write(ready=False)

    def mark_ready(self, ready: bool = True) -> None:
        """Tell those who want to attach whether the services can be used."""
        self._write(ready=ready)

    def release(self) -> None:
        """Give the home free; harmless when it is not held."""
        if self._descriptor is not None:
            self._note.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = None

    def _write(self, *, ready: bool) -> None:
        write_json(self._note, {"pid": os.getpid(), "what": self._what, "ready": ready})


def current_holder(home: Home) -> Holder:
    """Who wrote the note last (pid 0 in the instant between lock and note)."""
    note: dict[str, Any] = read_json(home.run / "holder.json")
    return Holder(int(note.get("pid", 0)), str(note.get("what", "another start")), bool(note.get("ready", False)))


class UseLock:
    """Shared by those who use services that another process runs; that one waits for them before it stops."""

    def __init__(self, home: Home) -> None:
        self._path: Path = home.run / "users"
        self._descriptor: int | None = None

    def join(self) -> None:
        """Be counted as a user."""
        self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(self._descriptor, fcntl.LOCK_SH)

    def wait_for_others(self, say: Callable[[str], None]) -> None:
        """Block until nobody uses the services; newcomers wait in turn. `say` is told why it takes time."""
        self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"Done; waiting for another command that uses the services of {self._path.parent.parent}.")
            fcntl.flock(self._descriptor, fcntl.LOCK_EX)

    def leave(self) -> None:
        """Stop being counted."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
