"""Nothing that the embedded services keep or open can be reached by others."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest

from metronix.embedded.home import Home, open_home
from metronix.embedded.places import outside_folders
from metronix.embedded.services import Services
from metronix.embedded.temporary_home import remove_home, temporary_home
from tests.support.embedded import modes_above, running_services


@pytest.fixture(scope="module")
def running() -> Iterator[Services]:
    with temporary_home() as home, running_services(home) as services:
        yield services


@pytest.mark.parametrize("closed", [True, False], ids=["closed parent", "open parent"])
def test_the_mode_of_no_existing_folder_changes(closed: bool) -> None:
    with tempfile.TemporaryDirectory(prefix="metronix-modes-") as name:
        parent = Path(name, "parent")
        parent.mkdir()
        parent.chmod(0o700 if closed else 0o755)
        Path(name).chmod(0o755)
        before = modes_above(parent)
        home = open_home(parent / "home")
        try:
            with running_services(home):
                assert modes_above(parent) == before
                during = modes_above(home.path)[str(home.path)]
            assert modes_above(parent) == before
            assert during.startswith("40700 ")
        finally:
            outside = outside_folders(home)
            remove_home(home)
        assert [folder for folder in outside if folder.exists()] == []


def test_folders_and_files_are_private(running: Services) -> None:
    home = running.home
    for folder in (home.run, home.logs, home.redis, running.places.postgres, running.places.postgres_socket):
        assert folder.stat().st_mode & 0o777 == 0o700, folder
    for file in (home.environment, home.secrets, home.places, home.log("postgres"), home.log("redis")):
        assert file.stat().st_mode & 0o777 == 0o600, file
    assert running.places.data.stat().st_mode & 0o777 == 0o700


def test_nothing_listens_on_tcp(running: Services) -> None:
    for child in running.children.values():
        processes = [psutil.Process(child.pid), *psutil.Process(child.pid).children(recursive=True)]
        assert [connection for process in processes for connection in process.net_connections("inet")] == []


def test_redis_socket_lies_in_a_closed_folder(running: Services) -> None:
    assert running.places.redis_socket_file.is_socket()
    assert running.places.redis_socket.stat().st_mode & 0o777 == 0o700


def test_a_password_is_asked_of_everyone(running: Services) -> None:
    socket = str(running.places.postgres_socket)
    for user in ("postgres", "metronix_owner", "metronix_app"):
        with pytest.raises(psycopg.OperationalError, match=r"password"):
            psycopg.connect(host=socket, user=user, dbname="metronix", password="guess", connect_timeout=5)
    with psycopg.connect(running.database_url("postgres", "superuser_password")) as superuser:
        methods = superuser.execute("SELECT DISTINCT auth_method FROM pg_hba_file_rules").fetchall()
        hashes = superuser.execute("SELECT rolpassword FROM pg_authid WHERE rolpassword IS NOT NULL").fetchall()
    assert methods == [("scram-sha-256",)]
    assert len(hashes) == 3
    assert all(value.startswith("SCRAM-SHA-256$") for (value,) in hashes)


def test_no_password_stands_on_a_command_line(running: Services) -> None:
    secrets = set(running.secrets.values())
    for child in running.children.values():
        assert not [word for word in psutil.Process(child.pid).cmdline() if any(one in word for one in secrets)]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs PostgreSQL as another user")
def test_as_root_postgres_runs_without_rights(running: Services) -> None:
    process = psutil.Process(running.children["postgres"].pid)
    assert 0 not in (*process.uids(), *process.gids())
    groups = Path(f"/proc/{process.pid}/status").read_text().split("Groups:")[1].splitlines()[0].split()
    assert "0" not in groups


def test_a_home_of_another_user_is_refused_in_words(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(Exception, match=r"METRONIX_HOME .* cannot be used: File exists .* Give a folder"):
        open_home(blocked / "home")
    assert isinstance(open_home(tmp_path / "home"), Home)
