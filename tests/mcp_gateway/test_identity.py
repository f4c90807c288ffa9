"""Who may do what over MCP: credentials, grants, roles and bindings, as seen from outside."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import httpx
import pytest
from pytest_django import Settings

from memory.models import MemoryRecord
from metronix.tenancy import tokens
from metronix.tenancy.context import workspaces_visible
from metronix.tenancy.principal import Role
from tests.mcp_gateway.serving import Mcp
from tests.support.people import new_workspace


def token(*workspaces: str, role: Role = Role.EDITOR) -> dict[str, str]:
    issued = tokens.issue("ada", role=role, workspaces=list(workspaces), lifetime=timedelta(hours=1), local_user=False)
    return {"Authorization": f"Bearer {issued}"}


def forbidden(reply: httpx.Response) -> bool:
    body = reply.json()
    return (reply.status_code, body["error"]["code"], body["id"]) == (403, -32003, 5)


def rows(workspace: str) -> int:
    with workspaces_visible(workspace):
        return MemoryRecord.objects.count()


@pytest.fixture
def hosted(settings: Settings) -> None:
    settings.AUTH_ENABLED = True


@pytest.mark.usefixtures("hosted")
def test_no_credential_is_401(mcp: Mcp) -> None:
    for headers in ({}, {"Authorization": "Bearer x"}, {"Authorization": "Basic YTpi"}):
        reply = mcp.rpc("tools/list", **headers)
        assert (reply.status_code, reply.headers["www-authenticate"]) == (401, "Bearer")
        assert (reply.json()["error"]["code"], reply.json()["id"]) == (-32001, 5)


@pytest.mark.usefixtures("hosted")
def test_ungranted_workspace_is_403_and_nothing_happens(base_url: str, workspace: str) -> None:
    foreign = new_workspace("foreign")
    caller = Mcp(base_url, **token(workspace))
    for tool, arguments in (
        ("metronix_status", {}),
        ("memory_store", {"content": "a", "agent_id": "owner"}),
        ("memory_search", {"query": "a", "agent_id": "owner"}),
    ):
        assert forbidden(caller.call(tool, workspace_id=foreign, **arguments))
    assert rows(foreign) == 0


@pytest.mark.usefixtures("hosted")
def test_workspace_header_serves_tools_without_the_argument(base_url: str, workspace: str) -> None:
    second, foreign = new_workspace("second"), new_workspace("foreign")
    caller = Mcp(base_url, **token(workspace, second))
    stored = caller.ok("memory_store", content="Ada likes tea", agent_id="owner", workspace_id=second)
    for path in ("/mcp", "/mcp/argos"):
        there = Mcp(base_url, path, X_Workspace_Id=second, **token(workspace, second))
        assert [hit["memory_id"] for hit in there.ok("memory_search", query="tea")["results"]] == [stored["id"]]
        assert Mcp(base_url, path, **token(workspace)).ok("memory_search", query="tea")["results"] == []
        assert forbidden(
            Mcp(base_url, path, X_Workspace_Id=foreign, **token(workspace)).call("memory_search", query="a")
        )


@pytest.mark.usefixtures("hosted")
def test_malformed_workspace_is_invalid(base_url: str, workspace: str) -> None:
    caller = Mcp(base_url, X_Workspace_Id="a b", **token(workspace))
    assert caller.error("metronix_status", workspace_id="a b")["code"] == "INVALID_PARAMS"
    assert caller.error("memory_search", query="a")["code"] == "INVALID_PARAMS"


@pytest.mark.usefixtures("hosted")
def test_granted_but_absent_workspace(base_url: str) -> None:
    assert Mcp(base_url, **token("*")).error("metronix_status", workspace_id="absent")["code"] == "WORKSPACE_NOT_FOUND"


@pytest.mark.usefixtures("hosted")
def test_a_viewer_reads_and_changes_nothing(base_url: str, workspace: str) -> None:
    editor = Mcp(base_url, **token(workspace))
    viewer = Mcp(base_url, **token(workspace, role=Role.VIEWER))
    kept = editor.ok("memory_store", content="Ada likes tea", agent_id="owner")["id"]
    assert viewer.ok("memory_list", agent_id="owner")["total"] == 1
    for tool, arguments in (
        ("memory_store", {"content": "b", "agent_id": "owner"}),
        ("memory_batch_store", {"records": [{"content": "c"}], "agent_id": "owner"}),
        ("memory_update", {"record_id": kept, "content": "d"}),
        ("memory_delete", {"record_id": kept}),
    ):
        assert viewer.error(tool, **arguments)["code"] == "FORBIDDEN"
    assert editor.ok("memory_list", agent_id="owner")["records"][0]["content"] == "Ada likes tea"


@pytest.mark.parametrize("auth", [True, False])
def test_a_bound_key_is_one_agent(base_url: str, settings: Settings, auth: bool, key: Callable[..., str]) -> None:
    settings.AUTH_ENABLED = auth
    bob = Mcp(base_url, X_API_Key=key(agent="bob"), X_Agent_Id="alice")
    kept = bob.ok("memory_store", content="Bob likes tea", agent_id="bob")["id"]
    for tool, arguments in (("memory_store", {"content": "a"}), ("memory_list", {}), ("memory_search", {"query": "a"})):
        assert bob.error(tool, agent_id="alice", **arguments)["code"] == "FORBIDDEN"
    assert bob.ok("memory_delete", record_id=kept)["found"] is True


def test_agents_do_not_reach_each_others_records_by_id(base_url: str, mcp: Mcp) -> None:
    kept = mcp.ok("memory_store", content="Only mine", agent_id="owner")["id"]
    colleague = Mcp(base_url, X_Agent_Id="colleague")
    assert colleague.ok("memory_delete", record_id=kept)["found"] is False
    assert colleague.error("memory_update", record_id=kept, tags=["x"])["code"] == "DOCUMENT_NOT_FOUND"
    assert mcp.ok("memory_list", agent_id="owner")["records"][0]["tags"] == []


def test_guarded_mode(mcp: Mcp, settings: Settings) -> None:
    settings.METRONIX_MCP_API_KEY = "the-guard"
    refused = mcp.rpc("tools/list")
    assert refused.status_code == 401
    assert "METRONIX_MCP_API_KEY" in refused.json()["error"]["message"]
    for headers in ({"Authorization": "Bearer the-guard"}, {"X_API_Key": "the-guard"}, {"x_hyphae_key": "the-guard"}):
        assert mcp.rpc("tools/list", **headers).status_code == 200


@pytest.mark.usefixtures("hosted")
def test_two_credentials_are_401(mcp: Mcp, workspace: str, key: Callable[..., str]) -> None:
    assert mcp.rpc("tools/list", X_API_Key=key(), **token(workspace)).status_code == 401
