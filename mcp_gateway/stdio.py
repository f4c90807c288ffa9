"""MCP on standard input and output: one process per agent, one identity for its whole life.

stdout carries the protocol alone (the SDK moves everything else that writes to it out of the way); logs go to stderr.
"""

from __future__ import annotations

import uuid
from dataclasses import replace

import anyio
from django.conf import settings
from mcp.server.context import ServerRequestContext
from mcp.server.stdio import stdio_server

from mcp_gateway.caller import Caller
from mcp_gateway.registry import declared, toolset
from mcp_gateway.server import build_server
from mcp_gateway.threads import close_threads
from metronix import env
from metronix.errors import AuthRequired
from metronix.tenancy.access import choose_workspace, require_existing
from metronix.tenancy.authenticate import AGENT_ID, local_principal
from metronix.tenancy.credentials import principal_for_key
from metronix.tenancy.last_used import note_use
from metronix.tenancy.principal import Door, Principal


def launch_principal() -> Principal:
    """Who this process acts for: the key in METRONIX_API_KEY or HYPHAE_API_KEY, else the local user of this machine.

    Whoever can start the process can reach the database anyway. Error: AuthRequired for a key that is not valid, and
    for two that differ.
    """
    keys = {env.text("METRONIX_API_KEY"), env.text("HYPHAE_API_KEY")} - {""}
    if len(keys) > 1:
        raise AuthRequired("METRONIX_API_KEY and HYPHAE_API_KEY differ; set one.")
    agent = env.text("METRONIX_AGENT_ID")
    if agent and not AGENT_ID.fullmatch(agent):
        raise AuthRequired("METRONIX_AGENT_ID must be 1 to 64 of A-Z a-z 0-9 . _ -.")
    if not keys:
        return replace(local_principal(Door.MCP), logged_agent=agent or None)
    principal = principal_for_key(keys.pop(), Door.MCP)
    if principal is None:
        raise AuthRequired(
            "The API key is unknown, expired or revoked.", hint="Issue one with manage.py create_api_key."
        )
    if principal.key_workspace is not None:
        note_use(principal.key_workspace, principal.id.removeprefix("key:"))
    return replace(principal, logged_agent=principal.bound_agent or agent or None)


def serve(toolset_name: str, workspace: str | None) -> None:
    """Serve until the client closes the input. Errors: AuthRequired, Forbidden, InvalidParams, WorkspaceNotFound."""
    principal = launch_principal()
    if workspace is not None:
        chosen = choose_workspace(principal, workspace)
        require_existing(chosen)
        # The default of every tool of this process, those with a workspace_id argument included.
        settings.DEFAULT_WORKSPACE_ID = chosen

    def identify(context: ServerRequestContext) -> Caller:
        request_id = uuid.uuid4().hex
        return Caller(replace(principal, request_id=request_id), request_id, "mcp-stdio", workspace)

    tools, merged = declared()
    server = build_server(toolset_name, toolset(toolset_name, tools, merged), identify)

    async def run() -> None:
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    try:
        anyio.run(run)
    finally:
        close_threads()
