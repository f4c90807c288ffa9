"""`make manage`: no services for a slip or a question."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from metronix.embedded.home import Home
from metronix.embedded.one_off import PROJECT
from metronix.embedded.outside import without_given
from metronix.embedded.places import settle_places
from metronix.embedded.temporary_home import temporary_home

STARTING = "Starting PostgreSQL and Redis"


def manage(home: Home, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = without_given(os.environ) | {"METRONIX_HOME": str(home.path)}
    environment.pop("DJANGO_SETTINGS_MODULE", None)
    return subprocess.run(
        [sys.executable, "-m", "metronix.embedded.manage", *arguments],
        cwd=PROJECT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["help"], 0, "[metronix]"),
        (["create_user", "--help"], 0, "--reset"),
        (["no_such_command"], 1, "Unknown command: 'no_such_command'"),
        (["create_user"], 2, "the following arguments are required: email"),
        (["create_user", "a@b.org", "--nope"], 2, "unrecognized arguments: --nope"),
    ],
    ids=["help", "help of one", "unknown", "too few", "too many"],
)
def test_nothing_is_started_for_it(arguments: list[str], code: int, words: str) -> None:
    with temporary_home() as home:
        done = manage(home, *arguments)
        assert done.returncode == code, done.stderr
        assert words in done.stdout + done.stderr
        assert STARTING not in done.stderr
        assert not settle_places(home).data.exists()


def test_a_start_is_told_on_stderr() -> None:
    with temporary_home() as home:
        done = manage(home, "showmigrations", "metronix")
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("metronix\n [X] 0001_initial")
        assert done.stderr.splitlines() == [f"  {STARTING} of {home.path} for this command ..."]
