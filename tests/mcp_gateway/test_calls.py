"""The tools over the wire: payloads, errors, resources, and that a fault of ours says nothing of itself."""

from __future__ import annotations

import json

import jsonschema
import pytest

from mcp_gateway import calls
from tests.mcp_gateway.catalogue import VALID, served
from tests.mcp_gateway.serving import Mcp


@pytest.mark.parametrize("tool", sorted(set(VALID) - {"memory_update"}))
def test_success_fits_its_output_schema(mcp: Mcp, tool: str) -> None:
    mcp.ok("memory_store", content="The theme is dark", agent_id="hermes", scope="global")
    jsonschema.validate(mcp.ok(tool, **VALID[tool]), served("all")[tool].published.output_schema)


def test_a_memorys_life(mcp: Mcp) -> None:
    stored = mcp.ok("memory_store", content="Ada drinks tea", agent_id="owner", tags=["drink"], metadata={"n": None})
    assert mcp.ok("memory_store", content="Ada drinks tea", agent_id="owner") == stored | {"deduped": True}
    updated = mcp.ok("memory_update", record_id=stored["id"], content="Ada drinks coffee")
    assert (updated["id"], updated["updated_fields"]) == (stored["id"], ["content"])
    (hit,) = mcp.ok("memory_search", query="what does Ada drink", agent_id="owner")["results"]
    assert (hit["record"]["content"], hit["record"]["metadata"], hit["rank"]) == ("Ada drinks coffee", {"n": None}, 1)
    jsonschema.validate({"results": [hit], "count": 1}, served("metronix")["memory_search"].published.output_schema)
    assert mcp.ok("memory_delete", record_id=stored["id"]) == {"success": True, "found": True}
    assert mcp.ok("memory_delete", record_id=stored["id"]) == {"success": True, "found": False}


def test_bad_items_are_their_own_errors(mcp: Mcp) -> None:
    body = json.dumps(
        {
            "jsonrpc": "2.0",
            "id": 5,
            "method": "tools/call",
            "params": {
                "name": "memory_batch_store",
                "arguments": {
                    "agent_id": "owner",
                    "records": [
                        {"content": "good"},
                        {"content": "\ud800"},
                        {"content": "x", "\udfff": 1},
                        {},
                        {"content": "good"},
                    ],
                },
            },
        }
    )
    reply = mcp.post(body).json()["result"]["structuredContent"]
    assert (reply["stored"], reply["deduped"]) == (1, 1)
    assert [item["error"] and item["error"]["code"] for item in reply["results"]] == [
        None,
        "INVALID_PARAMS",
        "INVALID_PARAMS",
        "INVALID_PARAMS",
        None,
    ]
    jsonschema.validate(reply, served("all")["memory_batch_store"].published.output_schema)


def test_a_lone_surrogate_is_named_not_a_parse_error(mcp: Mcp) -> None:
    error = mcp.error("memory_store", content="a\ud800", agent_id="owner")
    assert (error["code"], error["details"]["field"]) == ("INVALID_PARAMS", "content")


def test_our_faults_say_nothing_of_themselves(mcp: Mcp, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object) -> None:
        raise RuntimeError("SELECT secret FROM /srv/data")

    monkeypatch.setattr(calls, "perform", broken)
    error = mcp.error("metronix_status")
    assert error["code"] == "INTERNAL_ERROR"
    assert "secret" not in str(error)
    assert error["details"]["request_id"]


def test_a_memory_is_a_resource_in_its_scope(base_url: str, mcp: Mcp) -> None:
    kept = mcp.ok("memory_store", content="Ada drinks tea", agent_id="owner")["id"]
    read = {"uri": f"memory://{kept}"}
    (contents,) = mcp.rpc("resources/read", read).json()["result"]["contents"]
    assert json.loads(contents["text"])["content"] == "Ada drinks tea"
    for reader, uri in (
        (Mcp(base_url, X_Agent_Id="eve"), read["uri"]),
        (mcp, "memory://x"),
        (mcp, "file:///etc/passwd"),
    ):
        error = reader.rpc("resources/read", {"uri": uri}).json()["error"]
        assert (error["code"], error["data"]["code"]) == (-32002, "DOCUMENT_NOT_FOUND")


def test_templates_announce_what_can_be_read(mcp: Mcp) -> None:
    listed = mcp.rpc("resources/templates/list").json()["result"]["resourceTemplates"]
    assert "memory://{id}" in [template["uriTemplate"] for template in listed]
