"""Children end when they must, and only children that are ours are ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from metronix.embedded.child import ChildSpec, rotate, start_child
from metronix.embedded.files import read_json, write_json
from metronix.embedded.home import Home, open_home
from metronix.embedded.process_identity import is_same_process, start_mark
from metronix.embedded.records import ChildRecords
from tests.support.embedded import wait_until

DEAF = (
    "import signal, time; [signal.signal(n, signal.SIG_IGN) for n in (2, 15)]; "
    "print('deaf', flush=True); time.sleep(60)"
)
WITH_OFFSPRING = (
    "import subprocess, sys, time; child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']); "
    "print(child.pid, flush=True); time.sleep(60)"
)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return open_home(tmp_path / "home")


@pytest.fixture
def stranger() -> Iterator[subprocess.Popen[bytes]]:
    """A process that no record may lead to."""
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True)
    yield process
    process.kill()
    process.wait()


def spec(home: Home, code: str, **more: object) -> ChildSpec:
    return ChildSpec("one", (sys.executable, "-c", code), home.log("one"), environment=dict(os.environ), **more)  # type: ignore[arg-type]


def printed(home: Home) -> str:
    wait_until(lambda: home.log("one").read_text())
    return home.log("one").read_text().strip()


def test_one_that_obeys_is_not_killed(home: Home) -> None:
    child = start_child(spec(home, "import time; time.sleep(60)"))
    assert not child.has_ended()
    assert child.stop() == -signal.SIGTERM
    assert child.has_ended()


def test_one_that_does_not_obey_is_killed(home: Home) -> None:
    child = start_child(spec(home, DEAF, stop=((signal.SIGTERM, 0.2), (signal.SIGINT, 0.2))))
    assert printed(home) == "deaf"
    assert child.stop() == -signal.SIGKILL


def test_hurry_shortens_the_waits(home: Home) -> None:
    child = start_child(spec(home, DEAF, stop=((signal.SIGTERM, 600.0),)))
    assert printed(home) == "deaf"
    begun = time.monotonic()
    assert child.stop(lambda: True) == -signal.SIGKILL
    assert time.monotonic() - begun < 60


def test_its_offspring_goes_with_it(home: Home) -> None:
    child = start_child(spec(home, WITH_OFFSPRING))
    offspring = int(printed(home))
    child.stop()
    wait_until(lambda: start_mark(offspring) is None)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the kernel's own message is Linux's")
def test_it_ends_when_its_starter_is_killed(home: Home) -> None:
    code = textwrap.dedent(
        """
        import os, sys, time
        from pathlib import Path
        from metronix.embedded.child import ChildSpec, start_child
        child = start_child(ChildSpec("x", ("/bin/sleep", "60"), Path(sys.argv[1])))
        print(child.pid, flush=True)
        time.sleep(60)
        """
    )
    starter = subprocess.Popen([sys.executable, "-c", code, str(home.log("x"))], stdout=subprocess.PIPE, text=True)
    assert starter.stdout is not None
    child = int(starter.stdout.readline())
    mark = start_mark(child)
    assert mark is not None
    starter.kill()
    starter.communicate()
    wait_until(lambda: not is_same_process(child, mark))


def test_what_was_left_behind_is_ended(home: Home, stranger: subprocess.Popen[bytes]) -> None:
    left = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True)
    write_json(
        home.run / "children.json",
        {
            "left": {"pid": left.pid, "mark": start_mark(left.pid), "stop": int(signal.SIGTERM)},
            # The same id with another start: the number was given to somebody else since.
            "reused": {"pid": stranger.pid, "mark": "boot:1", "stop": int(signal.SIGTERM)},
            "gone": {"pid": 2**22 - 1, "mark": "boot:2", "stop": int(signal.SIGTERM)},
        },
    )
    assert ChildRecords(home).end_leftovers() == ["left"]
    assert left.wait() == -signal.SIGTERM
    assert stranger.poll() is None
    assert read_json(home.run / "children.json") == {}


def test_the_orphans_of_a_dead_child_are_ended(home: Home) -> None:
    leader = subprocess.Popen(
        [sys.executable, "-c", WITH_OFFSPRING], start_new_session=True, stdout=subprocess.PIPE, text=True
    )
    assert leader.stdout is not None
    offspring = int(leader.stdout.readline())
    record = {"pid": leader.pid, "mark": start_mark(leader.pid), "stop": int(signal.SIGTERM)}
    leader.kill()
    # Not communicate(): the offspring holds the other end of the pipe.
    leader.wait()
    leader.stdout.close()
    assert start_mark(offspring) is not None
    write_json(home.run / "children.json", {"one": record})
    assert ChildRecords(home).end_leftovers() == ["one"]
    wait_until(lambda: start_mark(offspring) is None)


def test_a_start_mark_is_the_same_as_long_as_the_process(stranger: subprocess.Popen[bytes]) -> None:
    mark = start_mark(stranger.pid)
    assert mark is not None
    assert is_same_process(stranger.pid, mark)
    assert start_mark(os.getpid()) != mark
    stranger.kill()
    wait_until(lambda: psutil.Process(stranger.pid).status() == psutil.STATUS_ZOMBIE)
    assert start_mark(stranger.pid) is None, "a zombie runs no more"


def test_a_large_log_is_moved_aside(tmp_path: Path) -> None:
    log = tmp_path / "web.log"
    log.write_text("x" * 11)
    rotate(log, limit=11)
    assert log.exists()
    rotate(log, limit=10)
    assert not log.exists()
    assert (tmp_path / "web.log.1").read_text() == "x" * 11
