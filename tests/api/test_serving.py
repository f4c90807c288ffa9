"""The door behind a real server: bodies as they arrive, and connections to the database."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import psycopg
import pytest
from pytest_django import Settings

from tests.mcp_gateway.serving import gateway_server
from tests.support.servers import TestServers

LIMIT = 16 * 1024 * 1024


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    with gateway_server() as url:
        yield url


@pytest.fixture
def client(served: str, settings: Settings, workspace: str) -> Iterator[httpx.Client]:
    """Open mode, in a workspace that is the default."""
    settings.AUTH_ENABLED, settings.METRONIX_MCP_API_KEY, settings.DEFAULT_WORKSPACE_ID = False, "", workspace
    with httpx.Client(base_url=f"{served}/api/v1", timeout=30) as client:
        yield client


def test_a_body_that_announces_too_much_is_not_read(client: httpx.Client) -> None:
    head = f"POST /api/v1/memory/records HTTP/1.1\r\nHost: localhost\r\nContent-Length: {LIMIT + 1}\r\n\r\n"
    with socket.create_connection((client.base_url.host, client.base_url.port or 80), timeout=10) as connection:
        connection.sendall(head.encode())  # nothing of the body: the answer comes from the announcement alone
        answer = b"".join(iter(lambda: connection.recv(65_536), b"")).decode()
    assert answer.startswith("HTTP/1.1 413")
    body = json.loads(answer.partition("\r\n\r\n")[2])
    assert body["code"] == "PAYLOAD_TOO_LARGE" and f"x-request-id: {body['request_id']}" in answer


def test_a_body_that_grows_too_large_is_cut_off(client: httpx.Client) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(2 * LIMIT // 65_536):
            yield b" " * 65_536

    try:
        reply = client.post("/memory/records", content=endless(), headers={"Content-Type": "application/json"})
    except httpx.WriteError:
        return  # the server hung up on us, as it should
    assert reply.status_code == 413 and reply.json()["code"] == "PAYLOAD_TOO_LARGE"


def test_a_chunked_body_is_read(client: httpx.Client) -> None:
    parts = iter([b'{"content": "in ', b'pieces", ', b'"agent_id": "a"}'])
    reply = client.post("/memory/records", content=parts, headers={"Content-Type": "application/json"})
    assert reply.status_code == 201 and reply.json()["content"] == "in pieces"


def test_a_large_batch_fits(client: httpx.Client) -> None:
    items = [{"content": f"{number} " + "日" * 32_000} for number in range(100)]
    raw = json.dumps({"agent_id": "a", "records": items}, ensure_ascii=False).encode()
    assert 9_000_000 < len(raw) < LIMIT
    reply = client.post("/memory/records/batch", content=raw[:-2] + b"x", headers={"Content-Type": "application/json"})
    assert reply.status_code == 400  # read to its end


@pytest.mark.parametrize("slash", ["", "/"])
def test_no_redirects(client: httpx.Client, slash: str) -> None:
    assert client.get(f"/memory/records{slash}").status_code == 200
    body = {"content": "x", "agent_id": "a"}
    assert client.post(f"/memory/records{slash}", json=body).status_code == 201
    assert client.get(f"/health{slash}").status_code == 200
    assert client.get(f"/nothing{slash}").status_code == 404


def test_a_repeated_credential_header_is_refused(client: httpx.Client, settings: Settings) -> None:
    settings.AUTH_ENABLED, settings.JWT_SECRET = True, "s" * 40
    key = f"mtk_{'0' * 64}"
    reply = client.get("/auth/me", headers=[("X-API-Key", key), ("X-API-Key", key)])
    assert reply.status_code == 401 and reply.headers["www-authenticate"] == "Bearer"


def test_requests_leave_no_connection_behind(client: httpx.Client, services: TestServers) -> None:
    def connections() -> int:
        with psycopg.connect(services.superuser) as admin:
            row = admin.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND usename <> 'postgres'",
                [services.database],
            ).fetchone()
        assert row is not None
        return int(row[0])

    before = connections()
    with ThreadPoolExecutor(10) as pool:
        statuses = list(pool.map(lambda _: client.get("/memory/records").status_code, range(50)))
    assert statuses == [200] * 50
    end = time.monotonic() + 5
    while connections() > before and time.monotonic() < end:
        time.sleep(0.05)
    assert connections() <= before
