"""The transport: what is answered, in which form, and what is refused before a tool is reached."""

from __future__ import annotations

import json

import httpx
import pytest
from pytest_django import Settings

from mcp_gateway.http import MAX_BODY
from tests.mcp_gateway.serving import BOTH, Mcp

PING = {"jsonrpc": "2.0", "id": 5, "method": "ping"}


def code(reply: httpx.Response) -> tuple[int, int]:
    """HTTP status and JSON-RPC code of a refusal, after checking what all refusals share."""
    body = reply.json()
    assert body["jsonrpc"] == "2.0"
    assert body["error"]["data"]["request_id"] == reply.headers["x-request-id"]
    return reply.status_code, body["error"]["code"]


@pytest.mark.parametrize("path", ["/mcp", "/mcp/metronix", "/mcp/argos", "/mcp/hyphae"])
def test_both_slash_forms(base_url: str, path: str) -> None:
    for form in (path, path + "/"):
        assert Mcp(base_url, form).post(PING).json() == {"jsonrpc": "2.0", "id": 5, "result": {}}


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "OPTIONS"])
def test_other_methods_are_405(mcp: Mcp, method: str) -> None:
    reply = mcp.client.request(method, "/mcp")
    assert (reply.status_code, reply.headers["allow"]) == (405, "POST")


def test_unknown_endpoint_is_404(base_url: str) -> None:
    assert code(Mcp(base_url, "/mcp/none").post(PING)) == (404, -32600)


@pytest.mark.parametrize("accept", ["*/*", "application/json", "", BOTH])
def test_json(mcp: Mcp, accept: str) -> None:
    assert mcp.post(PING, Accept=accept).headers["content-type"].startswith("application/json")


def test_stream_for_who_takes_nothing_else(mcp: Mcp) -> None:
    reply = mcp.post(PING, Accept="text/event-stream")
    assert reply.headers["content-type"].startswith("text/event-stream")
    assert '"id":5' in reply.text


def test_progress_comes_before_the_result(mcp: Mcp) -> None:
    items = [{"content": f"Lighthouse number {n} blinks every {n + 3} seconds."} for n in range(60)]
    params = {"name": "memory_batch_store", "arguments": {"agent_id": "owner", "records": items}}
    reply = mcp.rpc("tools/call", params | {"_meta": {"progressToken": "t"}})
    events = [json.loads(line[6:]) for line in reply.text.splitlines() if line.startswith("data: {")]
    steps = [event["params"]["progress"] for event in events[:-1]]
    assert steps == sorted(set(steps))
    assert steps[-1] == 60
    assert events[-1]["result"]["structuredContent"]["stored"] == 60


def test_batch_and_broken_bodies(mcp: Mcp) -> None:
    assert code(mcp.post([PING])) == (400, -32600)
    assert code(mcp.post("{")) == (400, -32700)


def test_too_large_a_body_is_413(mcp: Mcp) -> None:
    assert code(mcp.post(b"x" * (MAX_BODY + 1))) == (413, -32600)

    def chunks() -> object:
        for _ in range(17):
            yield b"x" * 1024 * 1024

    assert code(mcp.client.post("/mcp", content=chunks(), headers=mcp.headers)) == (413, -32600)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_only_json_is_taken(mcp: Mcp, kind: str) -> None:
    assert code(mcp.post(PING, Content_Type=kind)) == (415, -32600)
    assert mcp.post(PING, Content_Type="Application/JSON; charset=utf-8").status_code == 200


def test_host_must_be_ours(mcp: Mcp, settings: Settings) -> None:
    assert code(mcp.post(PING, Host="evil.example")) == (421, -32600)
    settings.ALLOWED_HOSTS = ["memory.example", ".team.example"]
    for host in ("memory.example", "memory.example:443", "a.team.example:8000"):
        assert mcp.post(PING, Host=host).status_code == 200


def test_foreign_pages_are_refused_in_open_mode(mcp: Mcp, settings: Settings, base_url: str) -> None:
    for origin in ("http://evil.example", "null", base_url + "1"):
        assert code(mcp.post(PING, Origin=origin)) == (403, -32003)
    assert mcp.post(PING, Origin=base_url).status_code == 200
    settings.CSRF_TRUSTED_ORIGINS = ["https://console.example"]
    assert mcp.post(PING, Origin="https://console.example").status_code == 200


def test_stale_session_id_is_harmless(mcp: Mcp) -> None:
    assert mcp.post(PING, Mcp_Session_Id="of an earlier life").status_code == 200


@pytest.mark.parametrize("version", ["nonsense", "2025-11-26"])
def test_bad_revision_header_is_400(mcp: Mcp, version: str) -> None:
    assert mcp.post(PING, MCP_Protocol_Version=version).status_code == 400


def test_initialize_without_a_revision(mcp: Mcp) -> None:
    params = {"capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    result = mcp.rpc("initialize", params).json()["result"]
    assert (result["protocolVersion"], result["serverInfo"]["name"]) == ("2025-11-25", "metronix")
    assert "memory_search" in result["instructions"]


def test_each_reply_has_its_own_request_id(mcp: Mcp) -> None:
    ids = {mcp.post(PING).headers["x-request-id"] for _ in range(3)}
    assert len(ids) == 3


def test_malformed_params_are_invalid_with_a_request_id(mcp: Mcp) -> None:
    reply = mcp.rpc("tools/call", {"name": "metronix_status", "arguments": []})
    assert code(reply) == (200, -32602)
    assert "arguments" in reply.json()["error"]["message"]


@pytest.mark.parametrize(("path", "tool"), [("/mcp", "no_such_tool"), ("/mcp/argos", "memory_list"), ("/mcp", "")])
def test_unknown_tool(base_url: str, path: str, tool: str) -> None:
    assert code(Mcp(base_url, path).call(tool)) == (200, -32602)
