"""One JSON-RPC message from a body, or a refusal in JSON-RPC; and which form the reply takes."""

from __future__ import annotations

import json

import pytest

from mcp_gateway.accept import wants_stream
from mcp_gateway.messages import Refused, read_message

CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "t", "arguments": {"a": 1}}}


@pytest.mark.parametrize("body", [b"", b"{", b'{"a": 1} x', b"\xff", b'{"a": "\\ud800"}', b"[" * 100_000])
def test_what_does_not_parse(body: bytes) -> None:
    with pytest.raises(Refused) as caught:
        read_message(body)
    assert (caught.value.status, caught.value.code) == (400, -32700)


@pytest.mark.parametrize(
    "value",
    [
        [],
        [CALL],
        7,
        {},
        {"jsonrpc": "1.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "id": None, "method": "ping"},
        {"jsonrpc": "2.0", "id": True, "method": "ping"},
        {"jsonrpc": "2.0", "id": 1.5, "method": "ping"},
        {"jsonrpc": "2.0", "id": 1, "method": 7},
        {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]},
    ],
)
def test_what_is_not_one_message(value: object) -> None:
    with pytest.raises(Refused) as caught:
        read_message(json.dumps(value).encode())
    assert (caught.value.status, caught.value.code) == (400, -32600)


@pytest.mark.parametrize("params", [{}, {"protocolVersion": None}, {"protocolVersion": 7}])
def test_initialize_without_a_revision_asks_for_the_newest(params: dict[str, object]) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).encode()
    assert json.loads(read_message(body).body)["params"]["protocolVersion"] == "2025-11-25"


def test_a_message_goes_on_byte_for_byte() -> None:
    body = json.dumps(CALL, indent=3).encode()
    assert read_message(body).body == body


def test_lone_surrogates_reach_the_schema_beside_a_clean_body() -> None:
    body = json.dumps(CALL | {"params": {"name": "t", "arguments": {"content": "a\ud800"}}}).encode()
    message = read_message(body)
    assert message.arguments == {"content": "a\ud800"}
    assert json.loads(message.body)["params"]["arguments"] == {"content": "a?"}


BOTH = "application/json, text/event-stream"


@pytest.mark.parametrize(
    ("header", "progress", "stream"),
    [
        ("", False, False),
        ("*/*", True, False),
        ("application/json", True, False),
        (BOTH, False, False),
        (BOTH, True, True),
        ("text/event-stream", False, True),
        ("text/event-stream, */*;q=0.1", False, False),
        ("text/event-stream, */*;q=0.1", True, True),
        ("application/json;q=0, text/event-stream", False, True),
        ("TEXT/EVENT-STREAM", False, True),
        ("text/html", False, False),
    ],
)
def test_reply_form(header: str, progress: bool, stream: bool) -> None:
    assert wants_stream(header, progress=progress) is stream
