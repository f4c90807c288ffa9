"""Which children run, kept in a file: what a killed `up` left behind is found and ended by the next one."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import psutil

from metronix.embedded.child import Child
from metronix.embedded.files import read_json, write_json
from metronix.embedded.home import Home
from metronix.embedded.home_identity import is_another
from metronix.embedded.process_identity import is_same_process, start_mark

PATIENCE_SECONDS = 10.0


class ChildRecords:
    """Notes in `run/children.json` under which id, and since when, each child runs."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._path: Path = home.run / "children.json"
        self._kept: dict[str, dict[str, str | int]] = {}

    def note(self, child: Child) -> None:
        """Remember a child just started."""
        self._kept[child.spec.name] = {
            "pid": child.pid,
            "mark": start_mark(child.pid) or "",
            "stop": int(child.spec.stop[0][0]),
            "home": str(self._home.path),
        }
        write_json(self._path, self._kept)

    def forget(self, name: str) -> None:
        """A child has ended."""
        if self._kept.pop(name, None) is not None:
            write_json(self._path, self._kept)

    def pids(self) -> dict[str, int]:
        """Name -> process id of the children noted."""
        return {name: int(entry["pid"]) for name, entry in self._kept.items()}

    def end_leftovers(self) -> list[str]:
        """End what an earlier run noted and left behind, and return the names. The home's lock must be held."""
        ended = []
        for name, entry in read_json(self._path).items():
            if is_another(self._home, Path(entry.get("home", self._home.path))):
                # A copy made of a running home: these are the original's.
                continue
            if _end(int(entry["pid"]), str(entry["mark"]), signal.Signals(int(entry["stop"]))):
                ended.append(name)
        self._kept = {}
        write_json(self._path, self._kept)
        return ended


def _end(pid: int, mark: str, first: signal.Signals) -> bool:
    """End the process noted, and the rest of its group; a process that merely bears the same id is left alone."""
    found = False
    if is_same_process(pid, mark):
        found = True
        _send(pid, first)
        _wait_until_gone(pid, mark)
        if is_same_process(pid, mark):
            _send(pid, signal.SIGKILL)
            _wait_until_gone(pid, mark)
    if psutil.pid_exists(pid):
        # Somebody else leads this number now, so a group of that number is theirs.
        return found
    for member in _group(pid):
        found = True
        _send(member, signal.SIGKILL)
    return found


def _group(leader: int) -> list[int]:
    """The members of a group whose leader is gone: the number cannot have been given anew while they live."""
    members = []
    for pid in psutil.pids():
        try:
            if os.getpgid(pid) == leader and psutil.Process(pid).uids().real == os.getuid():
                members.append(pid)
        except (ProcessLookupError, psutil.NoSuchProcess):
            continue
    return members


def _send(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


def _wait_until_gone(pid: int, mark: str) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while is_same_process(pid, mark) and time.monotonic() < end:
        time.sleep(0.02)
