"""Every route and tool by every kind of caller, over HTTP; a refusal changes no row of any table.

The table is written to docs/authorisation.md. Regenerate after an intended change:
UPDATE_SNAPSHOTS=1 python -m pytest tests/test_authorisation_matrix.py
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from pytest_django import Settings

from metronix.api.inputs import Acting
from metronix.tenancy.credentials import issue_key
from metronix.tenancy.login import login_token
from metronix.tenancy.models import User
from metronix.tenancy.principal import Role
from tests.mcp_gateway.catalogue import VALID, served
from tests.mcp_gateway.serving import gateway_server
from tests.support.authorisation import CALLERS, ROLES, expected_of_route, expected_of_tool, rendered
from tests.support.people import new_workspace
from tests.support.routes import OWNER, SAMPLES, Route, record, routes, text
from tests.support.servers import TestServers

PAGE = Path(__file__).parent.parent / "docs" / "authorisation.md"
ROUTES = routes()
TOOLS = list(served("all").values())


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with gateway_server() as url, httpx.Client(base_url=url, timeout=30) as client:
        yield client


@pytest.fixture
def headers(settings: Settings, workspace: str) -> dict[str, dict[str, str]]:
    """The credentials of each caller, in hosted mode."""
    settings.AUTH_ENABLED, settings.METRONIX_MCP_API_KEY, settings.JWT_SECRET = True, "", "s" * 40
    settings.METRONIX_LOGIN_ADDRESS_ATTEMPTS = 10_000

    def person(role: Role) -> dict[str, str]:
        # Without every workspace an administrator could neither make one nor delete the one made for that.
        user = User.objects.create_user(f"{text()}@example.org", None, role=role, all_workspaces=True)
        return {"Authorization": f"Bearer {login_token(user)}"}

    def key(where: str, role: Role, agent: str | None = None) -> dict[str, str]:
        return {"X-API-Key": issue_key(workspace_id=where, role=role, agent_id=agent)[1]}

    return {
        "none": {},
        **{name: person(ROLES[name]) for name in ("viewer", "editor", "admin")},
        "stranger": key(new_workspace("other"), Role.ADMIN),
        "bound key": key(workspace, Role.EDITOR, "bound"),
        "model key": key(workspace, Role.EDITOR),
    }


class Rows:
    """The state of every table: how many rows, and which transactions wrote them. Any write shows."""

    def __init__(self, services: TestServers) -> None:
        self.connection = psycopg.connect(services.superuser, autocommit=True)
        names = self.connection.execute(
            "SELECT c.oid::regclass::text FROM pg_class c WHERE c.relkind = 'r'"
            " AND c.relnamespace = 'public'::regnamespace ORDER BY 1"
        ).fetchall()
        self.query = " UNION ALL ".join(
            f"SELECT '{name}', count(*), coalesce(sum(xmin::text::bigint), 0) FROM {name}" for (name,) in names
        )

    def now(self) -> Any:
        # Sorted: a parallel plan gives the parts of a union as they come.
        return sorted(self.connection.execute(self.query.encode()).fetchall())


@pytest.fixture
def rows(services: TestServers) -> Iterator[Rows]:
    state = Rows(services)
    yield state
    state.connection.close()


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.operation.name)
def test_routes(
    route: Route, client: httpx.Client, headers: dict[str, dict[str, str]], workspace: str, rows: Rows
) -> None:
    declared = route.operation
    for caller in CALLERS:
        sample = SAMPLES[declared.name](workspace)
        path = route.path
        for name, value in sample.path.items():
            path = path.replace(f"<{name}>", value)
        params = {"workspace_id": workspace}
        if issubclass(declared.query, Acting):
            params["agent_id"] = OWNER
        before = rows.now()
        reply = client.request(route.method, path, params=params, json=sample.body, headers=headers[caller])
        outcome = "yes" if reply.status_code < 300 else str(reply.status_code)
        wanted = expected_of_route(route, caller)
        assert outcome == wanted, f"{route.method} {path} as {caller}: {reply.status_code} {reply.text[:300]}"
        if outcome != "yes" or (route.method == "GET" and declared.role is Role.VIEWER):
            assert rows.now() == before, f"{route.method} {path} as {caller} changed something"


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_tools(tool: Any, client: httpx.Client, headers: dict[str, dict[str, str]], workspace: str, rows: Rows) -> None:
    fields = tool.arguments.model_fields
    for caller in CALLERS:
        arguments = VALID[tool.name] | ({"workspace_id": workspace} if "workspace_id" in fields else {})
        arguments |= {"agent_id": OWNER} if "agent_id" in fields else {}
        arguments |= {"record_id": record(workspace)} if "record_id" in fields else {}
        params = {"name": tool.name, "arguments": arguments}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        before = rows.now()
        # The owner's agent by header too: an unbound credential then acts for it in tools without that argument.
        sent = headers[caller] | {"X-Agent-Id": OWNER, "X-Workspace-Id": workspace}
        reply = client.post("/mcp", json=body, headers=sent)
        outcome = outcome_of(reply)
        wanted = expected_of_tool(tool, caller)
        assert outcome == wanted, f"{tool.name} as {caller}: {reply.status_code} {reply.text[:300]}"
        if outcome != "yes" or tool.read_only:
            assert rows.now() == before, f"{tool.name} as {caller} changed something"


def outcome_of(reply: httpx.Response) -> str:
    """A reply in the words of the table."""
    if reply.status_code != 200:
        return str(reply.status_code)
    body = reply.json()
    error = body["error"]["data"] if "error" in body else body["result"]["structuredContent"].get("error")
    if error is None:
        return "no such" if body["result"]["structuredContent"].get("found") is False else "yes"
    return {"FORBIDDEN": "403*", "DOCUMENT_NOT_FOUND": "no such"}.get(error["code"], error["code"])


def test_the_page_is_in_step() -> None:
    text = rendered(ROUTES, TOOLS)
    if os.environ.get("UPDATE_SNAPSHOTS"):
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(text, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == text, __doc__
