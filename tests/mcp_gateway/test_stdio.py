"""MCP on standard input and output, by the official client and by hand."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from metronix.embedded.one_off import manage_py
from metronix.tenancy.credentials import issue_key
from metronix.tenancy.principal import Role
from tests.support.live import LivePlatform
from tests.support.servers import TestServers

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}


def parameters(services: TestServers, *arguments: str, **extra: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable,
        args=[str(manage_py()), "mcp_stdio", *arguments],
        env={"PATH": os.environ["PATH"], **services.environment(), **extra},
    )


def ask(server: StdioServerParameters, tool: str, arguments: dict[str, Any]) -> Any:
    async def work() -> Any:
        async with Client(stdio_client(server)) as client:
            return await client.call_tool(tool, arguments)

    return asyncio.run(work())


def test_store_and_search_over_stdio(services: TestServers, workspace: str) -> None:
    server = parameters(services, "--toolset", "metronix", "--workspace", workspace)
    stored = ask(server, "memory_store", {"content": "the kettle is blue", "agent_id": "hermes"})
    found = ask(server, "memory_search", {"query": "which colour has the kettle", "agent_id": "hermes"})
    assert found.structured_content["results"][0]["record"]["id"] == stored.structured_content["id"]
    assert found.structured_content["results"][0]["record"]["workspace_id"] == workspace


def test_a_key_binds_the_process(services: TestServers, workspace: str) -> None:
    _, key = issue_key(workspace_id=workspace, agent_id="hermes", role=Role.VIEWER)
    for name in ("METRONIX_API_KEY", "HYPHAE_API_KEY"):
        server = parameters(services, **{name: key})
        assert ask(server, "memory_list", {"agent_id": "hermes"}).is_error is False
        for arguments in ({"agent_id": "other"}, {"agent_id": "hermes", "workspace_id": "MTRNIX"}):
            assert ask(server, "memory_list", arguments).structured_content["error"]["code"] == "FORBIDDEN"
        refused = ask(server, "memory_store", {"content": "x", "agent_id": "hermes"})
        assert refused.structured_content["error"]["code"] == "FORBIDDEN"


@pytest.mark.parametrize(
    ("arguments", "extra", "said"),
    [
        ((), {"METRONIX_API_KEY": "mtk_" + "0" * 64}, "unknown, expired or revoked"),
        ((), {"METRONIX_API_KEY": "mtk_a", "HYPHAE_API_KEY": "mtk_b"}, "differ"),
        (("--workspace", "absent"), {}, "Workspace not found: absent"),
        (("--toolset", "nonsense"), {}, "invalid choice"),
    ],
)
def test_what_cannot_start_says_why_on_stderr(
    services: TestServers, arguments: tuple[str, ...], extra: dict[str, str], said: str
) -> None:
    server = parameters(services, *arguments, **extra)
    done = subprocess.run(
        [server.command, *server.args], env=server.env, input="", capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert done.stdout == ""
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.xdist_group("live")
def test_by_home_with_the_protocol_alone_on_stdout(live_platform: LivePlatform) -> None:
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "metronix_status", "arguments": {}}}
    lines = [HELLO, {"jsonrpc": "2.0", "method": "notifications/initialized"}, call]
    with subprocess.Popen(
        [sys.executable, "-m", "mcp_gateway", "--home", str(live_platform.home.path)],
        env={"PATH": os.environ["PATH"], "LOG_LEVEL": "DEBUG"},
        cwd=manage_py().parent,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.writelines(json.dumps(line) + "\n" for line in lines)
        process.stdin.flush()
        # The input stays open until the answers are there: its end ends the server, with what is under way.
        replies = [json.loads(process.stdout.readline()) for _ in range(2)]
        rest, logged = process.communicate()
    assert rest == ""
    assert process.returncode == 0, logged
    assert [reply["id"] for reply in replies] == [1, 2]
    assert replies[1]["result"]["structuredContent"]["embedding_model"]
