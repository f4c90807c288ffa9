"""The data folder: whole or not at all, kept, and never opened by the wrong version."""

from __future__ import annotations

import shutil

import psycopg
import pytest
import redis

from metronix.embedded.cluster import ensure_cluster
from metronix.embedded.home import Home
from metronix.embedded.places import Places, settle_places
from metronix.embedded.problems import StartProblem
from metronix.embedded.programs import major_version, program_folder
from metronix.embedded.secrets_file import kept_secrets
from metronix.embedded.temporary_home import temporary_home
from tests.support.embedded import running_services


def half_done_initdb(home: Home) -> Places:
    """What a killed initdb leaves: a data folder with a version file and little else."""
    places = settle_places(home)
    folder = places.postgres / "data.part"
    folder.mkdir(mode=0o700)
    (folder / "PG_VERSION").write_text(major_version())
    if places.user:
        shutil.chown(folder, places.user.uid, places.user.gid)
    return places


def test_a_half_done_initdb_is_done_again() -> None:
    with temporary_home() as home:
        places = half_done_initdb(home)
        with running_services(home) as services, psycopg.connect(services.own["DATABASE_URL"]) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
        assert not (places.postgres / "data.part").exists()
        assert not (places.postgres / "initdb.password").exists()


def test_an_initdb_that_fails_leaves_no_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    with temporary_home() as home:
        places = settle_places(home)
        monkeypatch.setattr("metronix.embedded.cluster.SUPERUSER", "pg_forbidden_name")
        with pytest.raises(StartProblem, match=r"could not be made .*pg_forbidden_name.* Check that the disk"):
            ensure_cluster(places, program_folder(places), "password")
        assert not places.data.exists()
        assert not (places.postgres / "initdb.password").exists()


@pytest.mark.parametrize("other", ["17", "19"])
def test_another_major_version_is_refused_untouched(other: str) -> None:
    with temporary_home() as home:
        places = settle_places(home)
        places.data.mkdir()
        version_file = places.data / "PG_VERSION"
        version_file.write_text(other + "\n")
        with pytest.raises(StartProblem, match=rf"made by PostgreSQL {other}; .*pg_dump.*Nothing was changed"):
            ensure_cluster(places, program_folder(places), "password")
        assert [path.name for path in places.data.iterdir()] == ["PG_VERSION"]


def test_data_queue_and_secrets_are_kept() -> None:
    with temporary_home() as home:
        with running_services(home) as services:
            before = dict(services.own)
            with psycopg.connect(services.own["DATABASE_OWNER_URL"]) as connection:
                connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
            with redis.Redis.from_url(services.own["REDIS_URL"]) as client:
                client.rpush("celery", "a task")
        with running_services(home) as services:
            assert services.own == before
            with psycopg.connect(services.own["DATABASE_URL"]) as connection:
                assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)
            with redis.Redis.from_url(services.own["REDIS_URL"]) as client:
                assert client.lrange("celery", 0, -1) == [b"a task"]
                assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}


def test_lost_secrets_are_told_of() -> None:
    with temporary_home() as home:
        with running_services(home):
            kept = kept_secrets(home)
        home.secrets.unlink()
        with (
            pytest.raises(StartProblem, match=r"superuser's password .* put the matching one back"),
            running_services(home),
        ):
            raise AssertionError("started with the wrong password")
        assert kept_secrets(home) != kept


def test_durability_is_on_unless_the_home_is_thrown_away() -> None:
    from metronix.embedded.postgres_server import SETTINGS, THROWAWAY_SETTINGS

    assert not set(SETTINGS) & set(THROWAWAY_SETTINGS)
