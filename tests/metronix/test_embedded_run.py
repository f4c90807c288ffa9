"""`python -m metronix.embedded.run`: services around a command, shared by those who come meanwhile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import psycopg

from metronix.embedded.attach import services_of
from metronix.embedded.home import Home
from metronix.embedded.home_lock import HomeLock, HomeTaken
from metronix.embedded.one_off import PROJECT
from metronix.embedded.outside import without_given
from metronix.embedded.temporary_home import temporary_home
from tests.support.embedded import processes_of, wait_until

SAY_HOME = "import os; print(os.environ['METRONIX_HOME']); print(os.environ['DATABASE_URL'])"
WAIT = "import os, time; print(os.environ['METRONIX_HOME'], flush=True); time.sleep(120)"


def start(arguments: Sequence[str], code: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "metronix.embedded.run", *arguments, "--", sys.executable, "-c", code],
        cwd=PROJECT,
        env=without_given(os.environ) | {"DJANGO_SETTINGS_MODULE": "metronix.settings"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def test_a_temporary_home_is_gone_afterwards_and_the_code_is_the_command_s() -> None:
    with tempfile.TemporaryDirectory(prefix="metronix-run-") as folder:
        Path(folder).chmod(0o755)
        running = start(["--temporary", "--home", folder], SAY_HOME + "; raise SystemExit(7)")
        out, err = running.communicate()
        assert running.returncode == 7, err
        home, url = out.split()
        assert home.startswith(folder)
        assert url.startswith("postgresql://metronix_app:")
        assert list(Path(folder).iterdir()) == []
        assert processes_of(Path(home)) == {}


def test_a_signal_ends_the_command_and_then_the_services() -> None:
    with tempfile.TemporaryDirectory(prefix="metronix-run-") as folder:
        Path(folder).chmod(0o755)
        running = start(["--temporary", "--home", folder], WAIT)
        assert running.stdout is not None
        home = running.stdout.readline().strip()
        running.send_signal(signal.SIGTERM)
        _, err = running.communicate()
        assert running.returncode == 128 + signal.SIGTERM, err
        assert list(Path(folder).iterdir()) == []
        assert processes_of(Path(home)) == {}


def test_an_unknown_command_is_told_in_a_sentence() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "metronix.embedded.run", "--temporary", "--", "no-such-command"],
        cwd=PROJECT,
        env=without_given(os.environ),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.strip() == "no-such-command cannot be run: No such file or directory. Check the command's name."


def test_a_second_one_attaches_and_the_first_waits_for_it() -> None:
    with temporary_home() as home:
        flag = home.path / "flag"
        wait_for_flag = f"import os, time\nwhile not os.path.exists({str(flag)!r}): time.sleep(0.05)"
        first = start(["--home", str(home.path)], wait_for_flag)
        assert first.stderr is not None
        wait_until(lambda: _is_taken(home))
        assert first.stderr.readline().strip().startswith("Starting PostgreSQL and Redis of")
        with services_of(home, "second", inherited=without_given(os.environ)) as environment:
            flag.touch()
            assert first.stderr.readline().startswith("Done; waiting for another command")
            with psycopg.connect(environment["DATABASE_URL"]) as connection:
                assert connection.execute("SELECT current_user").fetchone() == ("metronix_app",)
        _, err = first.communicate()
        assert first.returncode == 0, err
        assert processes_of(home.path) == {}


def _is_taken(home: Home) -> bool:
    lock = HomeLock(home, "probe")
    try:
        lock.acquire()
    except HomeTaken:
        return True
    lock.release()
    return False
