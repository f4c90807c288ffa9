"""`manage.py up`, run for real: what it prints, what it leaves behind, what it survives."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import httpx
import psutil
import psycopg
import pytest
import redis

from metronix.embedded.home import Home
from metronix.embedded.one_off import PROJECT, manage_py
from metronix.embedded.outside import without_given
from metronix.embedded.places import settle_places
from metronix.embedded.temporary_home import temporary_home
from tests.support.embedded import processes_of, wait_until
from tests.support.live import LivePlatform, free_port, live_platform_process, start_platform
from tests.support.servers import TestServers

CHILDREN = {"postgres", "redis", "web", "worker", "beat"}


def up(home: Home, extra: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """An `up` that is expected to refuse."""
    return subprocess.run(
        [sys.executable, str(manage_py()), "up"],
        cwd=PROJECT,
        env=without_given(os.environ) | {"METRONIX_HOME": str(home.path), "PORT": str(free_port())} | dict(extra),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_what_it_prints(live_platform: LivePlatform) -> None:
    printed = live_platform.printed()
    for tick in ("PostgreSQL 18", "Redis", "migrations", "web, worker, beat"):
        assert f"✓ {tick}" in printed
    url = live_platform.base_url
    for word in (
        f"{url}/admin/",
        "admin@metronix.local / ",
        f"{url}/api/docs/",
        f"claude mcp add --transport http metronix {url}/mcp",
        '{"mcpServers":',
        f"curl -s {url}/mcp",
        f"Ctrl-C stops everything. Data stays in {live_platform.home.path}/.",
        f"create_user admin@metronix.local --reset\" METRONIX_HOME='{live_platform.home.path}'",
    ):
        assert word in printed


def test_it_serves_and_all_children_run(live_platform: LivePlatform) -> None:
    assert httpx.get(f"{live_platform.base_url}/health").status_code == 200
    assert set(live_platform.pids) == CHILDREN
    assert psutil.Process(live_platform.pids["worker"]).nice() == 10
    assert psutil.Process(live_platform.pids["web"]).nice() == 0


def test_the_bare_address_leads_people_to_the_admin(live_platform: LivePlatform) -> None:
    reply = httpx.get(f"{live_platform.base_url}/")
    assert (reply.status_code, reply.headers["location"]) == (302, "/admin/")
    assert httpx.get(f"{live_platform.base_url}/mcp").status_code == 405


def test_every_connection_is_the_application_s(live_platform: LivePlatform) -> None:
    """Celery closes a task's connection with the task: a lock holds one up, so that its connection can be seen."""
    seen: dict[str, set[str]] = {}
    with psycopg.connect(live_platform.superuser_url(), application_name="the lock") as lock:
        lock.execute("LOCK TABLE event_deliveries IN ACCESS EXCLUSIVE MODE")

        def web_and_worker() -> bool:
            httpx.get(f"{live_platform.base_url}/ready")
            for name, role in clients(live_platform):
                seen.setdefault(name, set()).add(role)
            return {"metronix web", "metronix worker"} <= set(seen)

        # Beat sends the task that runs into the lock every five seconds.
        wait_until(web_and_worker, 90)
    assert seen.pop("the lock") == {"postgres"}
    assert set(seen) <= {"metronix web", "metronix worker", "metronix command"}
    assert set().union(*seen.values()) == {"metronix_app"}


def clients(live: LivePlatform) -> list[tuple[str, str]]:
    """Name and role of every connection but PostgreSQL's own processes (autovacuum runs as the superuser)."""
    with psycopg.connect(live.superuser_url()) as superuser:
        return superuser.execute(
            "SELECT DISTINCT application_name, usename::text FROM pg_stat_activity "
            "WHERE backend_type = 'client backend' AND datname = 'metronix' AND pid <> pg_backend_pid()"
        ).fetchall()


def test_a_second_start_is_refused(live_platform: LivePlatform) -> None:
    refused = up(live_platform.home, {})
    assert refused.returncode == 1
    assert f"process id {live_platform.up.pid} runs its services" in refused.stderr
    assert "METRONIX_HOME=" in refused.stderr
    assert httpx.get(f"{live_platform.base_url}/health").status_code == 200


def test_a_command_attaches(live_platform: LivePlatform) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "metronix.embedded.run", "--", sys.executable, str(manage_py()), "showmigrations"],
        cwd=PROJECT,
        env=without_given(os.environ) | {"METRONIX_HOME": str(live_platform.home.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "[X] 0001_initial" in done.stdout
    assert set(live_platform.pids) == CHILDREN


@pytest.mark.parametrize("name", ["web", "redis", "postgres"])
def test_a_killed_child_comes_back(live_platform: LivePlatform, name: str) -> None:
    pid = live_platform.pids[name]
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: live_platform.pids.get(name, pid) != pid, 60)
    wait_until(lambda: _answers(live_platform), 60)
    assert f"{name} ended with code -9" in live_platform.printed()
    assert f"{name} runs again" in live_platform.printed()


def test_a_taken_port_is_told_before_anything_starts(live_platform: LivePlatform) -> None:
    port = live_platform.base_url.rpartition(":")[2]
    with temporary_home() as home:
        refused = up(home, {"PORT": port})
        assert refused.returncode == 1
        assert f"Port {port} is taken by process {live_platform.pids['web']}" in refused.stderr
        assert f"PORT={int(port) + 1}" in refused.stderr
        assert not settle_places(home).data.exists()


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        ({"HOST": "0.0.0.0"}, "METRONIX_ALLOW_OPEN=1"),
        ({"PORT": "0"}, "between 1 and 65535"),
        ({"PORT": "abc"}, "PORT is abc."),
        ({"HOST": "name.invalid"}, "HOST=name.invalid is no address of this machine"),
        ({"AUTH_ENABLED": "maybe"}, "The settings are wrong: AUTH_ENABLED must be true or false"),
        ({"DATABASE_URL": "postgresql://app@127.0.0.1:1/x"}, "DATABASE_OWNER_URL is not"),
        (
            {
                "DATABASE_URL": "postgresql://app@127.0.0.1:1/x",
                "DATABASE_OWNER_URL": "postgresql://owner@127.0.0.1:1/x",
                "REDIS_URL": "redis://127.0.0.1:1/0",
            },
            "cannot be reached",
        ),
    ],
    ids=["open host", "port", "no number", "no such host", "no boolean", "half a database", "unreachable database"],
)
def test_refusals(extra: dict[str, str], words: str) -> None:
    with temporary_home() as home:
        refused = up(home, extra)
        assert refused.returncode in (1, 2)
        assert words in refused.stderr
        assert "Traceback" not in refused.stderr
        assert processes_of(home.path) == {}


def test_a_role_that_row_security_does_not_bind_is_refused(services: TestServers) -> None:
    given = {"DATABASE_OWNER_URL": services.owner, "REDIS_URL": services.redis}
    with temporary_home() as home:
        refused = up(home, given | {"DATABASE_URL": services.superuser})
        assert refused.returncode == 1
        assert "is (or may become) a superuser" in refused.stderr
        assert "application's role" in refused.stderr
        assert processes_of(home.path) == {}


def test_a_short_shared_key_is_refused() -> None:
    with temporary_home() as home:
        refused = up(home, {"METRONIX_MCP_API_KEY": "short"})
        assert refused.returncode == 1
        assert "METRONIX_MCP_API_KEY has 5 characters" in refused.stderr
        assert not settle_places(home).data.exists()


def test_two_run_side_by_side(live_platform: LivePlatform) -> None:
    """Two checkouts on one machine: each has its own memory, and the end of one is no harm to the other."""
    with live_platform_process() as other:
        pair = (live_platform, other)
        for number, platform in enumerate(pair):
            call(platform, "memory_store", content=f"the copy of number {number}")
        for number, platform in enumerate(pair):
            found = call(platform, "memory_search", query="the copy of number")["results"]
            assert [hit["record"]["content"] for hit in found] == [f"the copy of number {number}"]
        assert not set(live_platform.pids.values()) & set(other.pids.values())
    assert call(live_platform, "memory_list")["total"] == 1
    assert processes_of(other.home.path) == {}


def call(platform: LivePlatform, tool: str, **arguments: str) -> dict[str, Any]:
    """One tool call, as any client makes it."""
    message = {"name": tool, "arguments": {"agent_id": "side-by-side", **arguments}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": message}
    reply = httpx.post(f"{platform.base_url}/mcp", json=body, timeout=30).json()
    assert not reply["result"].get("isError"), reply
    return dict(reply["result"]["structuredContent"])


def test_a_signal_stops_everything() -> None:
    with live_platform_process() as platform:
        assert len(processes_of(platform.home.path)) >= len(CHILDREN) + 1
        os.kill(platform.up.pid, signal.SIGTERM)
        wait_until(platform.up.has_ended, 60)
        assert platform.up.reap() == 0
        assert "Stopped." in platform.printed()
        assert processes_of(platform.home.path) == {}


@pytest.mark.parametrize("sign", ["✓ PostgreSQL", "✓ migrations"])
def test_an_early_ctrl_c_stops_it_too(sign: str) -> None:
    with temporary_home() as home:
        platform = start_platform(home, ready=False)
        wait_until(lambda: sign in platform.printed())
        os.kill(platform.up.pid, signal.SIGINT)
        wait_until(platform.up.has_ended, 60)
        assert platform.up.reap() == 0
        assert processes_of(home.path) == {}


def test_killed_it_takes_its_children_along_and_the_next_start_has_the_data() -> None:
    with temporary_home() as home:
        killed = start_platform(home)
        password = [line for line in killed.printed().splitlines() if "shown once" in line]
        with psycopg.connect(killed.environment["DATABASE_OWNER_URL"]) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
        with redis.Redis.from_url(killed.environment["REDIS_URL"]) as client:
            client.set("kept", "yes")
        # The queue is written to the disk once a second.
        wait_until(lambda: b"kept" in b"".join(path.read_bytes() for path in home.redis.rglob("*.incr.aof")))
        os.kill(killed.up.pid, signal.SIGKILL)
        killed.up.reap()
        wait_until(lambda: processes_of(home.path) == {}, 60)
        again = start_platform(home)
        try:
            assert set(again.pids) == CHILDREN
            with psycopg.connect(again.environment["DATABASE_URL"]) as connection:
                assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)
            with redis.Redis.from_url(again.environment["REDIS_URL"]) as client:
                assert client.get("kept") == b"yes"
            assert password
            assert "shown once" not in again.printed()
        finally:
            os.kill(again.up.pid, signal.SIGKILL)
            again.up.reap()
        # At once, on the same port: what is left of the killed one is in the way and is ended first.
        third = start_platform(home, port=int(again.base_url.rpartition(":")[2]))
        assert set(third.pids) == CHILDREN
        assert third.up.stop() == 0
        assert processes_of(home.path) == {}


def _answers(platform: LivePlatform) -> bool:
    try:
        with psycopg.connect(platform.environment["DATABASE_URL"], connect_timeout=2):
            pass
        with redis.Redis.from_url(platform.environment["REDIS_URL"]) as client:
            client.ping()
        return httpx.get(f"{platform.base_url}/health").status_code == 200
    except (psycopg.OperationalError, redis.ConnectionError, httpx.HTTPError):
        return False
