"""Refusals that need no server: open hosts, taken ports, half a database."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from metronix.embedded.files import write_json
from metronix.embedded.home import Home, open_home
from metronix.embedded.options import UpOptions, is_loopback, refuse_open_host, refuse_taken_port
from metronix.embedded.outside import given_servers, merged, without_given
from metronix.embedded.problems import StartProblem

OWN = "postgresql://metronix_app@/metronix?host=socket"
OTHER = "postgresql://app@db/metronix"
OTHER_OWNER = "postgresql://owner@db/metronix"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = open_home(tmp_path / "home")
    write_json(home.environment, {"DATABASE_URL": OWN, "REDIS_URL": "unix://own"})
    return home


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "example.org"])
def test_an_open_host_needs_a_guard(host: str) -> None:
    with pytest.raises(StartProblem) as refused:
        refuse_open_host(host, guarded=False, allowed=False)
    for way in ("AUTH_ENABLED=true", "METRONIX_MCP_API_KEY", "METRONIX_ALLOW_OPEN=1"):
        assert way in refused.value.advice
    refuse_open_host(host, guarded=True, allowed=False)
    refuse_open_host(host, guarded=False, allowed=True)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "localhost", "::1"])
def test_loopback_needs_none(host: str) -> None:
    assert is_loopback(host)
    refuse_open_host(host, guarded=False, allowed=False)


def test_a_taken_port_names_its_holder() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(StartProblem) as refused:
            refuse_taken_port("127.0.0.1", port)
    assert f"Port {port} is taken by process {os.getpid()} (" in refused.value.message
    assert f"PORT={port + 1}" in refused.value.advice
    refuse_taken_port("127.0.0.1", port)


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(StartProblem, match=r"cannot be listened on"):
        refuse_taken_port("192.0.2.7", 8000)
    with pytest.raises(StartProblem, match=r"no address of this machine"):
        refuse_taken_port("name.invalid", 8000)


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:81"),
        ("0.0.0.0", "http://127.0.0.1:81"),
        ("::", "http://[::1]:81"),
        ("example.org", "http://example.org:81"),
    ],
)
def test_the_address_shown(host: str, url: str) -> None:
    assert UpOptions(host=host, port=81).base_url == url


def test_the_home_s_own_servers_are_no_gift(home: Home) -> None:
    assert given_servers(home, {"DATABASE_URL": OWN, "REDIS_URL": "unix://own"}) == {}
    assert given_servers(home, {"REDIS_URL": "redis://other"}) == {"REDIS_URL": "redis://other"}


def test_a_database_needs_both_roles(home: Home, tmp_path: Path) -> None:
    with pytest.raises(StartProblem, match=r"DATABASE_OWNER_URL is not"):
        given_servers(home, {"DATABASE_URL": OTHER})
    with pytest.raises(StartProblem, match=r"DATABASE_URL is not"):
        given_servers(home, {"DATABASE_OWNER_URL": OTHER_OWNER})
    secret = tmp_path / "secret"
    secret.write_text(OTHER_OWNER + "\n")
    assert given_servers(home, {"DATABASE_URL": OTHER, "DATABASE_OWNER_URL_FILE": str(secret)}) == {
        "DATABASE_URL": OTHER,
        "DATABASE_OWNER_URL": OTHER_OWNER,
    }
    with pytest.raises(StartProblem, match=r"cannot be read"):
        given_servers(home, {"DATABASE_URL_FILE": str(tmp_path / "missing")})


def test_a_damaged_environment_file_is_told_of(home: Home) -> None:
    home.environment.write_text("{")
    with pytest.raises(StartProblem, match=r"environment.json is damaged .* Remove it"):
        given_servers(home, {})


def test_environments_are_joined_without_contradiction() -> None:
    base = {"PATH": "/bin", "DATABASE_URL_FILE": "secret", "REDIS_URL": "redis://old"}
    assert merged(base, {"DATABASE_URL": OWN}) == {"PATH": "/bin", "REDIS_URL": "redis://old", "DATABASE_URL": OWN}
    assert without_given(base) == {"PATH": "/bin"}
