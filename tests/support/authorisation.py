"""What each caller may do, derived from what each route and tool declares; and the page that shows it."""

from __future__ import annotations

from mcp_gateway.registry import Tool
from metronix.api.inputs import Acting
from metronix.tenancy.principal import Role
from tests.support.routes import Route

CALLERS = ("none", "viewer", "editor", "admin", "stranger", "bound key", "model key")
ROLES = {
    "viewer": Role.VIEWER,
    "editor": Role.EDITOR,
    "admin": Role.ADMIN,
    "bound key": Role.EDITOR,
    "model key": Role.EDITOR,
}
HEAD = """# Who may do what

In hosted mode (`AUTH_ENABLED=true`). Written from the declarations of the routes and tools, and kept in step by
tests/test_authorisation_matrix.py, which makes every one of these calls and proves that a refused one changed nothing.
Regenerate after an intended change: `UPDATE_SNAPSHOTS=1 python -m pytest tests/test_authorisation_matrix.py`

- **none**: no credential. **viewer, editor, admin**: people with that role and a grant for the workspace, by the token
  of `POST /auth/login`. **stranger**: an administrator's key of another workspace, who names this one. **bound key**:
  an editor's key bound to one agent, used on another agent's memory. **model key**: an editor's key that counts as a
  model.
- `yes`: done. `401`, `403`: refused before any data is read. `403*`: over MCP the tool error `FORBIDDEN`.
  `no such`: the same answer as for an id that does not exist.
"""


def expected_of_route(route: Route, caller: str) -> str:
    """The outcome by the route's declaration."""
    declared = route.operation
    if declared.role is None:
        return "yes"
    if caller == "none":
        return "401"
    if caller == "stranger" or not ROLES[caller].includes(declared.role):
        return "403"
    # The call names the owner as the agent to act as, wherever an agent can be named.
    return "403" if caller == "bound key" and issubclass(declared.query, Acting) else "yes"


def expected_of_tool(tool: Tool, caller: str) -> str:
    """The outcome by the tool's declaration."""
    fields = tool.arguments.model_fields
    if caller == "none":
        return "401"
    if caller == "stranger":
        return "403"
    if not ROLES[caller].includes(tool.role):
        return "403*"
    if caller == "bound key" and "agent_id" in fields:
        return "403*"
    return "no such" if caller == "bound key" and "record_id" in fields else "yes"


def rendered(routes: list[Route], tools: list[Tool]) -> str:
    """The page."""
    rows = [
        ("REST", f"`{route.method} {route.path}`", [expected_of_route(route, caller) for caller in CALLERS])
        for route in routes
    ] + [("MCP", f"`{tool.name}`", [expected_of_tool(tool, caller) for caller in CALLERS]) for tool in tools]
    lines = [f"| door | call | {' | '.join(CALLERS)} |", f"|---|---|{'---|' * len(CALLERS)}"]
    lines += [f"| {door} | {call} | {' | '.join(outcomes)} |" for door, call, outcomes in rows]
    return HEAD + "\n" + "\n".join(lines) + "\n"
