"""What can be read by URI: one reader per scheme, added with `reader`."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import unquote

import mcp_types as types
from mcp.shared.exceptions import MCPError

from mcp_gateway.caller import Caller
from mcp_gateway.envelope import NOT_FOUND_RESOURCE, InternalError
from mcp_gateway.threads import in_thread
from memory.presentation import record_payload
from memory.services import get_record
from metronix.errors import InvalidParams, MetronixError, NotFound
from metronix.tenancy.access import place
from metronix.tenancy.principal import Principal, Role

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Resource:
    """A kind of resource: `<scheme>://{<variable>}`, read as text by `read(principal, name)`."""

    scheme: str
    variable: str
    title: str
    description: str
    mime_type: str
    read: Callable[[Principal, str], str]


def read_memory(principal: Principal, name: str) -> str:
    """A memory record as JSON. Raises NotFound outside the caller's scope."""
    return json.dumps(record_payload(get_record(principal, record_id=name)), ensure_ascii=False)


READERS: dict[str, Resource] = {
    "memory": Resource(
        scheme="memory",
        variable="id",
        title="Memory",
        description="One memory record with its status and metadata, by id.",
        mime_type="application/json",
        read=read_memory,
    )
}
"""Scheme -> resource; an app that has something to read adds to it."""


def templates() -> types.ListResourceTemplatesResult:
    """Every kind, as a URI template."""
    return types.ListResourceTemplatesResult(
        resource_templates=[
            types.ResourceTemplate(
                uri_template=f"{kind.scheme}://{{{kind.variable}}}",
                name=kind.scheme,
                title=kind.title,
                description=kind.description,
                mime_type=kind.mime_type,
            )
            for kind in READERS.values()
        ]
    )


async def read(uri: str, caller: Caller) -> types.ReadResourceResult:
    """The resource behind a URI. Raises MCPError; what the caller may not see is said not to exist."""
    scheme, _, name = uri.partition("://")
    kind = READERS.get(scheme)
    try:
        if kind is None or not name:
            raise NotFound("There is no such resource.", hint="See resources/templates/list.")
        text = await in_thread(lambda: kind.read(placed(caller), unquote(name)))
    except InvalidParams as problem:
        raise refused(types.INVALID_PARAMS, problem, caller) from None
    except NotFound as problem:
        raise refused(NOT_FOUND_RESOURCE, problem, caller) from None
    except MetronixError as problem:
        raise refused(problem.rpc_code, problem, caller) from None
    except Exception:
        logger.exception("reading %s failed (request %s)", scheme, caller.request_id)
        raise refused(types.INTERNAL_ERROR, InternalError(), caller) from None
    contents = types.TextResourceContents(uri=uri, mime_type=kind.mime_type, text=text)
    return types.ReadResourceResult(contents=[contents], ttl_ms=0, cache_scope="private")


def placed(caller: Caller) -> Principal:
    """The caller in the workspace the door chose, as a reader."""
    principal = caller.principal
    return place(principal, workspace=caller.workspace, agent=principal.logged_agent, role=Role.VIEWER)


def refused(code: int, problem: MetronixError, caller: Caller) -> MCPError:
    """A protocol error that carries our code and request id as its data."""
    return MCPError(code=code, message=problem.message, data={"code": problem.code, "request_id": caller.request_id})
