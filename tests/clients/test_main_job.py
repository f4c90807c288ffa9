"""The main job as a newcomer does it: start, import a conversation, ask over MCP, with each kind of client."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from metronix.embedded.one_off import manage_py
from tests.support.live import LivePlatform
from tests.support.tools import need_program

HERE = Path(__file__).parent
QUESTION = {"query": "Where does Ines keep bees?", "agent_id": "talk-1", "workspace_id": "talk-1", "top_k": 3}
ANSWER = "D1:3"

pytestmark = pytest.mark.xdist_group("live")


@pytest.fixture(autouse=True)
def answering(live_platform: LivePlatform) -> None:
    """Tests of starting share this platform and kill parts of it; wait until it serves again."""
    end = time.monotonic() + 60
    while True:
        try:
            if httpx.get(f"{live_platform.base_url}/ready", timeout=5).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.2)
        assert time.monotonic() < end, live_platform.printed()


@pytest.fixture(scope="module")
def talk(live_platform: LivePlatform) -> LivePlatform:
    """A platform with the conversation in it, imported twice: the second time adds nothing."""
    first, second = (import_file(live_platform, HERE / "conversation.json") for _ in range(2))
    assert first.startswith("7 stored, 0 already there, 0 not taken")
    assert second.startswith("0 stored, 7 already there, 0 not taken")
    return live_platform


def import_file(live: LivePlatform, path: Path) -> str:
    done = subprocess.run(
        [sys.executable, str(manage_py()), "import_conversations", str(path)],
        env=live.environment | {"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def turns(content: dict[str, Any]) -> list[str]:
    return [hit["record"]["metadata"]["dia_id"] for hit in content["results"]]


def test_official_python_client(talk: LivePlatform) -> None:
    from mcp import Client

    async def ask() -> dict[str, Any]:
        async with Client(f"{talk.base_url}/mcp") as client:
            result = await client.call_tool("memory_search", QUESTION)
            assert result.structured_content is not None
            return result.structured_content

    content = asyncio.run(ask())
    assert ANSWER in turns(content)
    times = {hit["record"]["created_at"] for hit in content["results"]}
    assert times <= {"2025-03-03T09:10:00+00:00", "2025-04-21T18:45:00+00:00"}


def test_bare_curl(talk: LivePlatform) -> None:
    need_program("curl", advice="Debian: apt-get install curl")
    headers = ["-H", "Content-Type: application/json"]
    message = {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "memory_search", "arguments": QUESTION}}
    done = subprocess.run(
        ["curl", "-sS", "-X", "POST", f"{talk.base_url}/mcp", *headers, "-d", json.dumps(message | {"id": 1})],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ANSWER in turns(json.loads(done.stdout)["result"]["structuredContent"])


@pytest.fixture(scope="session")
def npm_client() -> Path:
    """The folder of the npm client, installed."""
    for program in ("node", "npm"):
        need_program(program, advice="Debian: apt-get install nodejs npm")
    folder = HERE / "npm"
    if not (folder / "node_modules" / "@modelcontextprotocol" / "sdk").is_dir():
        subprocess.run(
            ["npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--silent"], cwd=folder, check=True
        )
    return folder


def with_npm(folder: Path, live: LivePlatform, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    done = subprocess.run(
        ["node", "client.mjs", f"{live.base_url}/mcp", "talk-1", tool, json.dumps(arguments)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(json.loads(done.stdout))


def test_npm_client(talk: LivePlatform, npm_client: Path) -> None:
    reply = with_npm(npm_client, talk, "memory_search", QUESTION)
    assert reply["isError"] is False
    assert ANSWER in turns(reply["content"])
    assert reply["tools"] == sorted(reply["tools"])


FAILING: dict[str, dict[str, Any]] = {
    "memory_store": {"content": " ", "agent_id": "talk-1"},
    "memory_search": {"query": "x", "agent_id": "talk-1", "top_k": 51},
    "memory_delete": {"record_id": "x", "workspace_id": "absent"},
    "memory_batch_store": {"records": [], "agent_id": "talk-1"},
    "memory_list": {"agent_id": "not valid!"},
    "memory_update": {"record_id": "x"},
    "metronix_status": {"workspace_id": "absent"},
}


def test_npm_client_reads_the_error_of_every_tool(talk: LivePlatform, npm_client: Path) -> None:
    """The TypeScript SDK validates an error's structuredContent too, and would hide it behind its own."""
    tools = with_npm(npm_client, talk, "metronix_status", {})["tools"]
    assert sorted(FAILING) == tools
    for tool, arguments in FAILING.items():
        reply = with_npm(npm_client, talk, tool, arguments)
        assert reply.get("isError") is True, (tool, reply)
        assert set(reply["content"]["error"]) == {"code", "message", "hint", "details"}
