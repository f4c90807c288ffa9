"""The block that `up` prints when everything runs: where to go and how to connect."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from metronix.embedded.first_login import FirstLogin
from metronix.embedded.hints import make_manage, shown
from metronix.embedded.options import UpOptions

INDENT = 16


def banner(
    options: UpOptions,
    home: Path,
    login: FirstLogin,
    environment: Mapping[str, str],
    *,
    auth: bool,
    data: Iterable[str],
) -> str:
    """The whole block. `data` are the places where data stay."""
    url = options.base_url
    headers = {"X-Agent-Id": "my-agent", **_credential(environment, auth=auth)}
    cursor = {"mcpServers": {"metronix": {"url": f"{url}/mcp", "headers": headers}}}
    blocks = [
        "",
        _entry("Admin", f"{url}/admin/", *_login(login, home)),
        _entry("MCP", f"{url}/mcp"),
        _entry("REST", f"{url}/api/docs/"),
        "",
        _entry("Claude Code", *_claude(url, headers)),
        _entry("Cursor", *_in_two(json.dumps(cursor), '"headers"')),
        _entry("Try", *_try(url, headers)),
        "",
    ]
    if auth:
        blocks += [_entry("Your key", *_key(login, home)), ""]
    blocks += [f"  Ctrl-C stops everything. Data stays in {' and '.join(data)}."]
    return "\n".join(blocks)


def _entry(name: str, *lines: str) -> str:
    """The lines of one entry below each other, beside its name."""
    first, *others = lines
    return "\n".join([f"  {name:<{INDENT - 2}}{first}", *(" " * INDENT + line for line in others)])


def _login(login: FirstLogin, home: Path) -> list[str]:
    reset = make_manage(f"create_user {login.email} --reset", home)
    if login.password:
        return [f"{login.email} / {login.password} (shown once)", f"A new one: {reset}"]
    return [f"{login.email}   Password forgotten?", reset]


def _claude(url: str, headers: Mapping[str, str]) -> list[str]:
    """Broken by backslashes, so that a terminal's own breaks do not get into what is copied."""
    lines = [f"claude mcp add --transport http metronix {url}/mcp"]
    lines += [f'  --header "{name}: {value}"' for name, value in headers.items()]
    return [*(f"{line} \\" for line in lines[:-1]), lines[-1]]


def _try(url: str, headers: Mapping[str, str]) -> list[str]:
    arguments = {"content": "The staging database listens on port 5433.", "agent_id": "my-agent"}
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "memory_store", "arguments": arguments},
    }
    sent = {"Content-Type": "application/json"} | {name: headers[name] for name in headers if name != "X-Agent-Id"}
    return [
        " ".join([f"curl -s {url}/mcp", *(f"-H '{name}: {value}'" for name, value in sent.items()), "\\"]),
        *_in_two(f"  -d '{json.dumps(call)}'", '"arguments"'),
    ]


def _in_two(text: str, at: str) -> list[str]:
    """JSON may be broken between its words, and is read more easily than by the terminal's own breaks."""
    before, _, after = text.partition(at)
    return [before.rstrip(), f"    {at}{after}"]


def _key(login: FirstLogin, home: Path) -> list[str]:
    return [make_manage(f"create_api_key --workspace {login.workspace_id} --agent my-agent", home)]


def _credential(environment: Mapping[str, str], *, auth: bool) -> dict[str, str]:
    if auth:
        return {"Authorization": "Bearer <your key>"}
    if environment.get("METRONIX_MCP_API_KEY") or environment.get("METRONIX_MCP_API_KEY_FILE"):
        return {"Authorization": "Bearer <METRONIX_MCP_API_KEY>"}
    return {}


def data_places(home: Path, *, postgres: Path | None, redis: bool) -> list[str]:
    """Where data stay: the home, PostgreSQL's folder where that lies elsewhere, servers of the user's own."""
    places = [f"{shown(home)}/"] if redis or (postgres and home in postgres.parents) else []
    if postgres is None:
        places.append("the PostgreSQL in DATABASE_URL")
    elif home not in postgres.parents:
        places.append(f"{postgres}/ (PostgreSQL)")
    return [*places, *([] if redis else ["the Redis in REDIS_URL"])]
