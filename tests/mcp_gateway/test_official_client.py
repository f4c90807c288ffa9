"""The official client in both eras: the handshake, and the revision without one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types.version import LATEST_MODERN_VERSION

from tests.mcp_gateway.catalogue import served


def run(url: str, work: Callable[[Client], Awaitable[Any]], mode: str) -> Any:
    async def main() -> Any:
        async with Client(streamable_http_client(url), mode=mode) as client:
            return await work(client)

    return asyncio.run(main())


@pytest.mark.parametrize("mode", ["auto", "legacy", LATEST_MODERN_VERSION])
def test_list_store_and_find(base_url: str, mode: str) -> None:
    async def work(client: Client) -> tuple[list[str], Any, Any]:
        names = [tool.name for tool in (await client.list_tools()).tools]
        stored = await client.call_tool("memory_store", {"content": f"Ada drinks tea ({mode})", "agent_id": "owner"})
        found = await client.call_tool("memory_search", {"query": "tea", "agent_id": "owner"})
        return names, stored.structured_content, found.structured_content

    names, stored, found = run(base_url + "/mcp", work, mode)
    assert names == list(served("all"))
    assert stored["id"] in [hit["record"]["id"] for hit in found["results"]]


@pytest.mark.parametrize("mode", ["legacy", LATEST_MODERN_VERSION])
def test_progress(base_url: str, mode: str) -> None:
    seen: list[float] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append(progress)

    async def work(client: Client) -> Any:
        items = [{"content": f"Buoy {n} of the {mode} harbour is green."} for n in range(60)]
        return await client.call_tool(
            "memory_batch_store", {"agent_id": "owner", "records": items}, progress_callback=note
        )

    assert run(base_url + "/mcp", work, mode).structured_content["stored"] == 60
    assert seen
    assert seen == sorted(seen)


@pytest.mark.parametrize("mode", ["legacy", LATEST_MODERN_VERSION])
def test_errors_are_readable(base_url: str, mode: str) -> None:
    async def work(client: Client) -> Any:
        return await client.call_tool("memory_list", {"agent_id": "owner", "limit": 0})

    result = run(base_url + "/mcp", work, mode)
    assert result.is_error
    assert result.structured_content["error"]["details"]["field"] == "limit"
