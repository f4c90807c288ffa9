"""The MCP servers, one per toolset, over the SDK's low-level `Server`.

The high-level `MCPServer` of the SDK accepts unknown arguments silently; the low-level one leaves schemas, the tool
list and the form of an error to this package.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mcp_types as types
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from mcp_gateway import resources
from mcp_gateway.caller import Caller
from mcp_gateway.calls import call_tool
from mcp_gateway.instructions import instructions
from mcp_gateway.registry import Tool
from metronix import __version__

Identify = Callable[[ServerRequestContext], Caller]
"""Finds the caller of a request; each transport has its own."""


def build_server(toolset: str, tools: dict[str, Tool], identify: Identify) -> Server[Any]:
    """The server of one toolset. Building it publishes every schema, so a broken one stops the start-up."""
    listed = types.ListToolsResult(tools=[tool.published for tool in tools.values()], ttl_ms=0, cache_scope="private")

    async def list_tools(
        context: ServerRequestContext, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return listed

    async def call(context: ServerRequestContext, params: types.CallToolRequestParams) -> Any:
        caller = identify(context)
        tool = tools.get(params.name)
        if tool is None:
            raise MCPError(
                code=types.INVALID_PARAMS,
                message=f"Unknown tool: {params.name[:100]}",
                data={"code": "INVALID_PARAMS", "request_id": caller.request_id},
            )
        raw = caller.arguments if caller.arguments is not None else params.arguments or {}
        return await call_tool(tool, raw, caller, context)

    async def list_resources(
        context: ServerRequestContext, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        # Memories are found by search; listing them all here would flood a client that reads every resource.
        return types.ListResourcesResult(resources=[], ttl_ms=0, cache_scope="private")

    async def list_templates(
        context: ServerRequestContext, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return resources.templates()

    async def read_resource(
        context: ServerRequestContext, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        return await resources.read(str(params.uri), identify(context))

    async def explain_bad_params(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Give a request the SDK finds malformed the same data as every other refusal."""
        try:
            return await call_next(ctx)
        except ValidationError as problem:
            fields = sorted({".".join(map(str, found["loc"])) for found in problem.errors()})
            raise MCPError(
                code=types.INVALID_PARAMS,
                message=f"Invalid request parameters: {', '.join(fields)[:200]}",
                data={"code": "INVALID_PARAMS", "request_id": identify(ctx).request_id},
            ) from None

    server: Server[Any] = Server(
        "metronix",
        version=__version__,
        title="Metronix",
        instructions=instructions(toolset, tools),
        get_tool_input_schema=lambda name: tools[name].published.input_schema if name in tools else None,
        on_list_tools=list_tools,
        on_call_tool=call,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
    )
    server.middleware.append(explain_bad_params)
    return server
