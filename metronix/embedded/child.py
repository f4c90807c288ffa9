"""One child process: started so that it cannot outlive us, stopped so that it leaves nothing."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from metronix.embedded.server_user import ServerUser

PR_SET_PDEATHSIG = 1
# Loaded here and not between fork and exec, where it might wait for a lock that another thread held.
LIBC = ctypes.CDLL(None) if sys.platform.startswith("linux") else None
LOG_BYTES = 5_000_000
HURRIED_SECONDS = 0.5

Steps = tuple[tuple[signal.Signals, float], ...]
"""Signals to stop a process with, each with the seconds it has to obey; SIGKILL follows the last one."""


@dataclass(frozen=True, slots=True)
class ChildSpec:
    """What to run and how to stop it.

    `orphan_signal` is what the kernel sends should our own process be killed (Linux). `hint` tells what usually helps
    when the child keeps dying.
    """

    name: str
    command: tuple[str, ...]
    log: Path
    environment: dict[str, str] = field(default_factory=dict)
    cwd: str = "/"
    user: ServerUser | None = None
    nice: int = 0
    stop: Steps = ((signal.SIGTERM, 10.0),)
    orphan_signal: signal.Signals = signal.SIGTERM
    hint: str = ""


class Child:
    """A running child; make it with `start_child`."""

    def __init__(self, spec: ChildSpec, popen: subprocess.Popen[bytes]) -> None:
        self.spec = spec
        self.popen = popen
        self.started = time.monotonic()
        self._asked = False

    @property
    def pid(self) -> int:
        """Its process id, which is also its group's."""
        return self.popen.pid

    def has_ended(self) -> bool:
        """True when it has ended, without reaping it: its id stays ours until `reap`."""
        if self.popen.returncode is not None:
            return True
        if not hasattr(os, "waitid"):
            # macOS before Python 3.13: the child is reaped by asking, so its group is ended in the same breath.
            ended = self.popen.poll() is not None
            if ended:
                _signal_group(self.pid, signal.SIGKILL)
            return ended
        try:
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:
            return True

    def reap(self) -> int:
        """Collect the ended child and end what is left of its group; returns its exit code."""
        if self.popen.returncode is None:
            # Before wait(): until the leader is reaped nobody else can be given this group's number.
            _signal_group(self.pid, signal.SIGKILL)
            self.popen.wait()
        return int(self.popen.returncode or 0)

    def ask_to_stop(self) -> None:
        """Send the first signal and return at once, so that several children can stop side by side."""
        if not self._asked and not self.has_ended():
            os.kill(self.pid, self.spec.stop[0][0])
        self._asked = True

    def stop(self, hurry: Callable[[], bool] = lambda: False) -> int:
        """End it by its own signals, then by force; `hurry` shortens the waits while it returns true."""
        self.ask_to_stop()
        for step, (number, seconds) in enumerate(self.spec.stop):
            if self.has_ended():
                break
            if step:
                os.kill(self.pid, number)
            begun = time.monotonic()
            while not self.has_ended() and time.monotonic() - begun < (HURRIED_SECONDS if hurry() else seconds):
                time.sleep(0.02)
        return self.reap()


def start_child(spec: ChildSpec) -> Child:
    """Start the child in a session of its own: the terminal's Ctrl-C reaches us alone, and we stop it in order."""
    rotate(spec.log)
    tied = tied_to_parent(spec.orphan_signal)

    def prepare() -> None:
        tied()
        if spec.nice:
            os.nice(spec.nice)

    identity = spec.user.popen if spec.user else {}
    with open(spec.log, "ab", opener=lambda path, flags: os.open(path, flags, 0o600)) as log:
        popen = subprocess.Popen(
            spec.command,
            cwd=spec.cwd,
            env=spec.environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=prepare,
            **identity,
        )
    return Child(spec, popen)


def rotate(log: Path, limit: int = LOG_BYTES) -> None:
    """Move a log over `limit` bytes aside; one older file is kept."""
    if log.exists() and log.stat().st_size > limit:
        log.replace(log.with_suffix(".log.1"))


def tied_to_parent(number: signal.Signals = signal.SIGKILL) -> Callable[[], None]:
    """A `preexec_fn`: the kernel sends the child `number` when our process is gone, however it went (Linux).

    The kernel forgets this on a change of user, but that comes before a preexec_fn. It goes by the thread that starts
    the child, which must therefore be one that lives as long as the process.
    """
    parent = os.getpid()

    def tie() -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        if LIBC is not None:
            LIBC.prctl(PR_SET_PDEATHSIG, int(number))
            if os.getppid() != parent:
                os._exit(1)

    return tie


def _signal_group(group: int, number: signal.Signals) -> None:
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        # Nobody is left in it (macOS reports a group of zombies as a lack of permission).
        return
