"""What `up` prints is true and can be pasted."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from metronix.embedded.banner import banner, data_places
from metronix.embedded.first_login import FirstLogin
from metronix.embedded.hints import make_manage
from metronix.embedded.one_off import PROJECT
from metronix.embedded.options import UpOptions

HOME = Path("/srv/metronix")
LOGIN = FirstLogin("admin@metronix.local", "pass-word", "MTRNIX")
DEFAULT = PROJECT / ".metronix"


def printed(home: Path = DEFAULT, *, auth: bool = False, login: FirstLogin = LOGIN, **environment: str) -> str:
    return banner(UpOptions(), home, login, environment, auth=auth, data=["somewhere/"])


def test_every_hint_names_a_home_that_is_not_the_default() -> None:
    hints = re.findall(r"make manage .*", printed(HOME, auth=True))
    assert len(hints) == 2
    assert all(hint.endswith(" METRONIX_HOME='/srv/metronix'") for hint in hints)
    assert "METRONIX_HOME" not in printed(auth=True)
    forgotten = printed(HOME, login=FirstLogin("a@b.org", None, "MTRNIX"))
    assert "create_user a@b.org --reset\" METRONIX_HOME='/srv/metronix'" in forgotten


@pytest.mark.parametrize("name", ["plain", "with blank", "it's", "100$"])
def test_the_home_reaches_make_as_it_is(tmp_path: Path, name: str) -> None:
    (tmp_path / "Makefile").write_text('manage:\n\t@printf %s "$$METRONIX_HOME"\n')
    command = make_manage("check", tmp_path / name)
    # The suite may itself run under make, whose flags would make this one talkative.
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, env=plain, capture_output=True, text=True, check=True)
    assert done.stdout == str(tmp_path / name)


@pytest.mark.parametrize("auth", [False, True])
def test_what_is_pasted_is_one_command(auth: bool) -> None:
    text = printed(auth=auth)
    assert max(map(len, text.splitlines())) <= 130
    pasted = re.findall(r"(?:claude mcp|curl -s) .*?(?=\n  Cursor|\n\n)", text, re.S)
    claude, curl = (shlex.split(command) for command in pasted)
    assert claude.count("--header") == 1 + auth
    assert curl[-2] == "-d"
    assert json.loads(curl[-1])["params"]["name"] == "memory_store"
    servers = re.search(r"Cursor +(.*?)\n  Try", text, re.S)
    assert servers
    assert set(json.loads(servers[1])) == {"mcpServers"}


def test_the_last_line_says_where_data_are() -> None:
    assert data_places(HOME, postgres=HOME / "postgres", redis=True) == ["/srv/metronix/"]
    elsewhere = Path("/var/lib/metronix/ab12")
    assert data_places(HOME, postgres=elsewhere, redis=True) == [
        "/srv/metronix/",
        "/var/lib/metronix/ab12/ (PostgreSQL)",
    ]
    assert data_places(HOME, postgres=None, redis=False) == [
        "the PostgreSQL in DATABASE_URL",
        "the Redis in REDIS_URL",
    ]
    assert data_places(HOME, postgres=None, redis=True) == ["/srv/metronix/", "the PostgreSQL in DATABASE_URL"]
