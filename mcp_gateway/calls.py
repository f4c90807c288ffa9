"""One tool call: check the arguments, place the caller, run the handler, say the outcome."""

from __future__ import annotations

import logging
from typing import Any

from mcp.server.context import ServerRequestContext

from mcp_gateway.caller import Caller
from mcp_gateway.envelope import InternalError, failure, rpc_error, success
from mcp_gateway.progress import reporting
from mcp_gateway.registry import Call, Family, Tool
from mcp_gateway.schemas import Arguments
from mcp_gateway.threads import in_thread
from metronix.errors import MetronixError
from metronix.tenancy.access import place

logger = logging.getLogger(__name__)


async def call_tool(tool: Tool, raw: dict[str, Any], caller: Caller, context: ServerRequestContext) -> dict[str, Any]:
    """The wire result of a call. Raises MCPError for a failing HyphaeDB tool, whose errors are not results."""
    try:
        arguments = tool.parsed(raw)
        async with reporting(context) as on_progress:
            call = Call(caller, on_progress)
            payload = await in_thread(lambda: perform(tool, arguments, call))
        return success(payload)
    except MetronixError as problem:
        refused = problem
    except Exception:
        logger.exception("tool %s failed (request %s)", tool.name, caller.request_id)
        refused = InternalError()
    if tool.family is Family.HYPHAE:
        raise rpc_error(refused, caller.request_id)
    return failure(refused, caller.request_id)


def perform(tool: Tool, arguments: Arguments, call: Call) -> dict[str, Any]:
    """Authorise and run, on a database thread. Raises MetronixError.

    The agent is the tool's own argument where it has one, else the attributed one; `place` refuses any agent but its
    own to a bound key.
    """
    caller = call.caller
    principal = place(
        caller.principal,
        workspace=getattr(arguments, "workspace_id", caller.workspace),
        agent=getattr(arguments, "agent_id", caller.principal.logged_agent),
        role=tool.role,
    )
    return tool.handler(principal, arguments, call)
