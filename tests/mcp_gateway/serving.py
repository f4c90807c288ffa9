"""The gateway behind a real uvicorn and a real socket, in this process, so that a test can change the settings."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import uvicorn

from metronix.asgi import build_application
from tests.support.live import free_port

BOTH = "application/json, text/event-stream"
CLIENTS: dict[str, httpx.Client] = {}
"""Base URL -> the connection pool of that server's tests, closed with the server."""


@contextmanager
def gateway_server() -> Iterator[str]:
    """Serve a new application; gives its base URL."""
    port = free_port()
    config = uvicorn.Config(build_application(), port=port, log_config=None, access_log=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        end = time.monotonic() + 30
        while not server.started:
            assert thread.is_alive(), "uvicorn ended"
            assert time.monotonic() < end, "uvicorn did not start"
            time.sleep(0.01)
        url = f"http://127.0.0.1:{port}"
        with httpx.Client(base_url=url, timeout=30) as client:
            CLIENTS[url] = client
            yield url
            del CLIENTS[url]
    finally:
        server.should_exit = True
        thread.join(30)


def dashed(headers: dict[str, str]) -> dict[str, str]:
    """Keyword spelling to header spelling, in the case the class uses, so that one replaces the other."""
    return {name.replace("_", "-").title(): value for name, value in headers.items()}


class Mcp:
    """Raw JSON-RPC to one toolset."""

    def __init__(self, base_url: str, path: str = "/mcp", **headers: str) -> None:
        self.path = path
        self.headers = {"Content-Type": "application/json", "Accept": BOTH} | dashed(headers)
        self.client = CLIENTS[base_url]

    def post(self, body: object, **headers: str) -> httpx.Response:
        """Send a body as it is (bytes, text) or as JSON; these headers win over the client's own."""
        content = body if isinstance(body, bytes | str) else json.dumps(body)
        return self.client.post(self.path, content=content, headers=self.headers | dashed(headers))

    def rpc(self, method: str, params: dict[str, Any] | None = None, **headers: str) -> httpx.Response:
        """One request with id 5."""
        return self.post({"jsonrpc": "2.0", "id": 5, "method": method, "params": params or {}}, **headers)

    def call(self, tool: str, **arguments: Any) -> httpx.Response:
        """A tools/call."""
        return self.rpc("tools/call", {"name": tool, "arguments": arguments})

    def ok(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The payload of a success."""
        result = self.call(tool, **arguments).json()["result"]
        assert result["isError"] is False, result
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        return result["structuredContent"]

    def error(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The error object of a tool error."""
        reply = self.call(tool, **arguments)
        result = reply.json()["result"]
        assert (reply.status_code, result["isError"]) == (200, True), result
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        return result["structuredContent"]["error"]
