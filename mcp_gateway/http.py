"""MCP over HTTP: an ASGI application in front of the SDK's session managers.

The SDK answers in one form per session manager, so each toolset has two over one server, JSON and event stream; this
dispatcher reads the body once, decides, and replays it. Everything that can be refused without the SDK is refused here,
in JSON-RPC, before any data is read.
"""

from __future__ import annotations

import asyncio
import logging
import re
import uuid
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import INTERNAL_ERROR, INVALID_REQUEST
from starlette.types import Message as Event
from starlette.types import Receive, Scope, Send

from mcp_gateway import accept
from mcp_gateway.caller import Caller
from mcp_gateway.messages import Message, Refused, read_message
from mcp_gateway.registry import ALL, TOOLSETS, Tool, declared, toolset
from mcp_gateway.server import build_server
from mcp_gateway.threads import close_threads, in_thread
from metronix.errors import AuthRequired, Forbidden, MetronixError
from metronix.tenancy.access import DEFAULT_WORDS
from metronix.tenancy.authenticate import Mode, examine, mode, resolve
from metronix.tenancy.models import WORKSPACE_ID_PATTERN
from metronix.tenancy.origin import foreign_origin, host_allowed
from metronix.tenancy.principal import Door, Principal

logger = logging.getLogger(__name__)

MAX_BODY = 16 * 1024 * 1024
"""Bytes of one request body; a document of 1,000,000 characters fits with room for escapes."""
SMALL_BODY = 64 * 1024
"""Up to this size a body is read before a caller is refused, so that the refusal can carry the message's id."""
CALLER = "metronix.caller"


def mounted(path: str) -> bool:
    """True for paths that are this application's."""
    return path == "/mcp" or path.startswith("/mcp/")


def caller_of(context: ServerRequestContext) -> Caller:
    """The caller that the dispatcher left in the request's scope."""
    assert context.request is not None
    return context.request.scope[CALLER]


class Endpoint:
    """One toolset: its tools, and its server in both reply forms."""

    def __init__(self, name: str, tools: dict[str, Tool]) -> None:
        self.tools = tools
        server = build_server(name, tools, caller_of)
        self.json, self.stream = (
            StreamableHTTPSessionManager(server, json_response=form, stateless=True, max_request_body_size=MAX_BODY)
            for form in (True, False)
        )


class Gateway:
    """The ASGI application for /mcp and below. `running` must be entered once, by the server's lifespan."""

    def __init__(self, tools: Iterable[Tool] | None = None, merged: Iterable[Tool] = ()) -> None:
        if tools is None:
            tools, merged = declared()
        tools, merged = list(tools), list(merged)
        self.endpoints = {
            "/mcp" if name == ALL else f"/mcp/{name}": Endpoint(name, toolset(name, tools, merged)) for name in TOOLSETS
        }
        self.started = False

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the session managers. An instance runs once; build another to run again."""
        async with AsyncExitStack() as stack:
            for endpoint in self.endpoints.values():
                await stack.enter_async_context(endpoint.json.run())
                await stack.enter_async_context(endpoint.stream.run())
            self.started = True
            try:
                yield
            finally:
                self.started = False
                await asyncio.to_thread(close_threads)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one HTTP request; every reply carries X-Request-Id."""
        request_id = uuid.uuid4().hex

        async def marked(event: Event) -> None:
            if event["type"] == "http.response.start":
                event = {**event, "headers": [*event["headers"], (b"x-request-id", request_id.encode())]}
            await send(event)

        try:
            await self.serve(scope, receive, marked, request_id)
        except Refused as refused:
            await respond(refused, request_id, marked)

    async def serve(self, scope: Scope, receive: Receive, send: Send, request_id: str) -> None:
        """Check the request from the outside in, then hand it to the SDK. Raises Refused."""
        endpoint = self.endpoints.get(scope["path"].rstrip("/"))
        if endpoint is None:
            raise Refused(404, INVALID_REQUEST, "There is no MCP endpoint here.", code_name="DOCUMENT_NOT_FOUND")
        if scope["method"] != "POST":
            raise Refused(405, INVALID_REQUEST, "Send MCP messages with POST.", headers=(("allow", "POST"),))
        if not self.started:
            raise Refused(503, INTERNAL_ERROR, "The server is not started yet.", code_name="INTERNAL_ERROR")
        headers = joined(scope["headers"])
        check_sender(headers)
        principal = await authenticated(headers, receive, request_id)
        if headers.get("content-type", "").partition(";")[0].strip().lower() != accept.JSON:
            raise Refused(415, INVALID_REQUEST, "Content-Type must be application/json.")
        message = read_message(await read_body(headers, receive))
        caller = Caller(
            principal, request_id, "mcp-http", headers.get("x-workspace-id", "").strip() or None, message.arguments
        )
        check_grant(endpoint.tools, message, caller)
        await forward(endpoint, scope, headers, message, caller, receive, send)


def joined(raw: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Headers by lower-case name; a repeated one joined by commas, so that no copy of a credential is overlooked."""
    headers: dict[str, str] = {}
    for name, value in raw:
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    return headers


def check_sender(headers: dict[str, str]) -> None:
    """Refuse a Host that is not ours (DNS rebinding), and in open mode a page of another site. Raises Refused."""
    if not host_allowed(headers.get("host", "")):
        raise Refused(421, INVALID_REQUEST, "This host name is not served here; see ALLOWED_HOSTS.")
    if mode() is Mode.OPEN and foreign_origin(headers):
        raise Refused(403, Forbidden.rpc_code, "Requests from other sites are refused.", code_name=Forbidden.code)


async def authenticated(headers: dict[str, str], receive: Receive, request_id: str) -> Principal:
    """The caller. Raises Refused with 401, with the message's id where the body is small enough to look."""
    try:
        evidence = examine(headers, door=Door.MCP)
        principal = await in_thread(lambda: resolve(evidence)) if evidence.needs_database else resolve(evidence)
    except AuthRequired as problem:
        raise unauthenticated(problem, await message_id(headers, receive)) from None
    except MetronixError as problem:
        raise Refused(problem.http_status, problem.rpc_code, problem.message, code_name=problem.code) from None
    except Exception:
        logger.exception("authentication failed (request %s)", request_id)
        raise Refused(503, INTERNAL_ERROR, "Credentials cannot be checked now.", code_name="INTERNAL_ERROR") from None
    return replace(principal, request_id=request_id)


def unauthenticated(problem: AuthRequired, identity: Any) -> Refused:
    """The 401. No resource_metadata: clients would try OAuth, which this platform does not offer, and fail worse."""
    return Refused(
        401,
        problem.rpc_code,
        f"{problem.message} {problem.hint}".strip(),
        code_name=problem.code,
        headers=(("www-authenticate", "Bearer"),),
        request_id=identity,
    )


async def message_id(headers: dict[str, str], receive: Receive) -> Any:
    """The id of the message in a small body, None where it cannot be told."""
    length = headers.get("content-length", "")
    if not length.isdigit() or int(length) > SMALL_BODY:
        return None
    try:
        return read_message(await read_body(headers, receive)).id
    except Refused as refused:
        return refused.request_id


async def read_body(headers: dict[str, str], receive: Receive) -> bytes:
    """The whole body. Raises Refused with 413 as soon as it is known to be too large."""
    too_large = Refused(413, INVALID_REQUEST, f"The body is larger than {MAX_BODY} bytes.")
    length = headers.get("content-length", "")
    if length.isdigit() and int(length) > MAX_BODY:
        raise too_large
    parts: list[bytes] = []
    size = 0
    while True:
        event = await receive()
        if event["type"] != "http.request":
            raise Refused(400, INVALID_REQUEST, "The client went away.")
        parts.append(event.get("body", b""))
        size += len(parts[-1])
        if size > MAX_BODY:
            raise too_large
        if not event.get("more_body", False):
            return b"".join(parts)


def check_grant(tools: dict[str, Tool], message: Message, caller: Caller) -> None:
    """Refuse a workspace that is not granted, before any data is read. Raises Refused with 403."""
    if message.method == "tools/call":
        name = message.params.get("name")
        tool = tools.get(name) if isinstance(name, str) else None
        if tool is None:
            return
        arguments = message.tool_arguments
        wanted = arguments.get("workspace_id") if tool.names_workspace(arguments) else caller.workspace
    elif message.method.startswith("resources/"):
        wanted = caller.workspace
    else:
        return
    # A malformed id is no workspace at all: the schema or `place` refuses it as such.
    if not isinstance(wanted, str) or wanted in DEFAULT_WORDS or not re.match(WORKSPACE_ID_PATTERN, wanted):
        return
    if not caller.principal.may_enter(wanted):
        raise Refused(
            403,
            Forbidden.rpc_code,
            "The workspace is not granted to this credential.",
            code_name=Forbidden.code,
            request_id=message.id,
        )


async def forward(
    endpoint: Endpoint,
    scope: Scope,
    headers: dict[str, str],
    message: Message,
    caller: Caller,
    receive: Receive,
    send: Send,
) -> None:
    """Replay the request to the session manager that answers in the form the client takes."""
    wanted = headers.get("accept", "")
    stream = accept.wants_stream(wanted, progress=message.wants_progress)
    takes_stream = accept.accepted(wanted)[1]
    replaced = {
        b"accept": f"{accept.JSON}, {accept.STREAM}".encode() if takes_stream else accept.JSON.encode(),
        b"content-type": accept.JSON.encode(),
        b"content-length": str(len(message.body)).encode(),
    }
    # A session id of an earlier life of the client means nothing to a stateless server.
    dropped = {*replaced, b"mcp-session-id"}
    kept = [(name, value) for name, value in scope["headers"] if name.lower() not in dropped]
    inner = {**scope, "headers": [*kept, *replaced.items()], CALLER: caller}
    body: list[Event] = [{"type": "http.request", "body": message.body, "more_body": False}]

    async def replay() -> Event:
        return body.pop() if body else await receive()

    manager = endpoint.stream if stream else endpoint.json
    await manager.handle_request(inner, replay, send)


async def respond(refused: Refused, request_id: str, send: Send) -> None:
    """Send a refusal."""
    body = refused.body(request_id)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    headers += [(name.encode(), value.encode()) for name, value in refused.headers]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
