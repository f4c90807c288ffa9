"""A whole platform, started as a user starts it: `manage.py up` on a free port in a temporary home."""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from metronix.embedded.child import Child, ChildSpec, start_child
from metronix.embedded.files import read_json
from metronix.embedded.home import Home
from metronix.embedded.one_off import manage_py
from metronix.embedded.outside import without_given
from metronix.embedded.problems import last_lines
from metronix.embedded.state import stored_environment
from metronix.embedded.temporary_home import temporary_home

START_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class LivePlatform:
    """A running `manage.py up`; `output` is the file that holds what it printed."""

    base_url: str
    home: Home
    up: Child
    output: Path

    @property
    def pids(self) -> dict[str, int]:
        """Name -> process id of its children, as they are now."""
        noted = read_json(self.home.run / "children.json")
        return {name: int(entry["pid"]) for name, entry in noted.items()}

    @property
    def environment(self) -> dict[str, str]:
        """The addresses and keys of its home, with METRONIX_HOME."""
        return {**stored_environment(self.home.path), "METRONIX_HOME": str(self.home.path)}

    def superuser_url(self) -> str:
        """For looking at what others do: code under test never has it."""
        password = read_json(self.home.secrets)["superuser_password"]
        where = urlencode({"host": read_json(self.home.places)["postgres_socket"]})
        return f"postgresql://postgres:{password}@/metronix?{where}"

    def printed(self) -> str:
        """What `up` has printed so far."""
        return self.output.read_text(encoding="utf-8")


@contextmanager
def live_platform_process(extra: Mapping[str, str] | None = None) -> Iterator[LivePlatform]:
    """Start it, wait until it is ready, and stop it with SIGTERM at the end."""
    with temporary_home() as home:
        platform = start_platform(home, extra)
        try:
            yield platform
        finally:
            platform.up.stop()


def start_platform(
    home: Home, extra: Mapping[str, str] | None = None, *, ready: bool = True, port: int | None = None
) -> LivePlatform:
    """`manage.py up` in `home`; waits for its closing line unless told otherwise."""
    port = port or free_port()
    output = home.path / f"up-{time.monotonic_ns()}.log"
    spec = ChildSpec(
        name="up",
        command=(sys.executable, str(manage_py()), "up", "--port", str(port)),
        log=output,
        environment=without_given(os.environ)
        | {"METRONIX_HOME": str(home.path), "PYTHONUNBUFFERED": "1"}
        | dict(extra or {}),
        cwd=str(manage_py().parent),
        stop=((signal.SIGTERM, 60.0),),
    )
    platform = LivePlatform(f"http://127.0.0.1:{port}", home, start_child(spec), output)
    try:
        if ready:
            wait_until_ready(platform)
    except BaseException:
        # Ctrl-C included: nobody else knows this process yet.
        platform.up.stop()
        raise
    return platform


def wait_until_ready(platform: LivePlatform) -> None:
    """Return when `up` has printed its closing line; fail with what it printed when it ends or takes too long."""
    end = time.monotonic() + START_SECONDS
    while "Ctrl-C stops everything" not in platform.printed():
        if platform.up.has_ended() or time.monotonic() > end:
            logs = "\n".join(f"{log.name}:\n{last_lines(log)}" for log in sorted(platform.home.logs.glob("*.log")))
            raise AssertionError(f"`manage.py up` did not get ready:\n{platform.printed()}\n{logs}")
        time.sleep(0.05)


def free_port() -> int:
    """A TCP port nobody listens on at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
