"""The block that `up` prints when everything runs: where to go and how to connect."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from metronix.embedded.first_login import FirstLogin
from metronix.embedded.options import UpOptions

RESET = 'make manage ARGS="create_user {email} --reset"'


def banner(options: UpOptions, home: Path, login: FirstLogin, environment: Mapping[str, str], *, auth: bool) -> str:
    """The whole block."""
    url = options.base_url
    reset = RESET.format(email=login.email)
    if login.password:
        who = f"{login.email} / {login.password} (shown once; `{reset}`)"
    else:
        who = f"{login.email} (password forgotten? `{reset}`)"
    headers = {"X-Agent-Id": "my-agent", **_credential(environment, auth=auth)}
    claude = " ".join(f'--header "{name}: {value}"' for name, value in headers.items())
    cursor = json.dumps({"mcpServers": {"metronix": {"url": f"{url}/mcp", "headers": headers}}})
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {
            "name": "memory_store",
            "arguments": {"content": "The staging database listens on port 5433.", "agent_id": "my-agent"},
        },
    }
    sent = " ".join(f"-H '{name}: {value}'" for name, value in {"Content-Type": "application/json", **headers}.items())
    lines = [
        "",
        f"  Admin         {url}/admin/     {who}",
        f"  MCP           {url}/mcp",
        f"  REST          {url}/api/docs/",
        "",
        f"  Claude Code   claude mcp add --transport http metronix {url}/mcp {claude}",
        f"  Cursor        {cursor}",
        f"  Try           curl -s {url}/mcp {sent} -d '{json.dumps(call)}'",
        "",
    ]
    if auth:
        make_key = f'make manage ARGS="create_api_key --workspace {login.workspace_id} --agent my-agent"'
        lines += [f"  Your key      {make_key}", ""]
    lines += [f"  Ctrl-C stops everything. Data stays in {shown(home)}/."]
    return "\n".join(lines)


def shown(path: Path) -> str:
    """The path as the user would type it."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def _credential(environment: Mapping[str, str], *, auth: bool) -> dict[str, str]:
    if auth:
        return {"Authorization": "Bearer <your key>"}
    if environment.get("METRONIX_MCP_API_KEY") or environment.get("METRONIX_MCP_API_KEY_FILE"):
        return {"Authorization": "Bearer <METRONIX_MCP_API_KEY>"}
    return {}
