"""Who is calling: the one object that every service takes first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum


class Role(StrEnum):
    """What a principal may do; each role includes the ones before it."""

    VIEWER = "viewer"
    EDITOR = "editor"
    ADMIN = "admin"

    def includes(self, other: Role) -> bool:
        """True when this role may do everything `other` may."""
        order = list(Role)
        return order.index(self) >= order.index(other)


class PrincipalType(StrEnum):
    """Whether decisions reserved to people are open to this principal."""

    HUMAN = "human"
    MODEL = "model"


class Door(StrEnum):
    """Through which door a call came; becomes the `actor` of its events."""

    MCP = "mcp_caller"
    REST = "rest_caller"
    ADMIN = "operator"
    COMMAND = "command"
    WORKER = "worker"


EVERY_WORKSPACE = "*"
LOCAL = "local"
"""The id of the caller that a local mode admits without a credential of its own."""


@dataclass(frozen=True, slots=True)
class Principal:
    """An authenticated caller, and (after `at`) the workspace and agent it acts in.

    `id` is stable per credential holder (`user:<id>`, `key:<id>`, `sub:<claim>`, `local`). `grants` holds workspace
    ids or `"*"`. `bound_agent` is set for a key issued to one agent. `workspace_id` and `agent_id` are empty until
    `at` has placed the principal; `logged_agent` is the attributed agent (the `X-Agent-Id` header), which grants
    nothing.
    """

    id: str
    type: PrincipalType
    role: Role
    grants: frozenset[str]
    door: Door
    bound_agent: str | None = None
    key_workspace: str | None = None
    logged_agent: str | None = None
    workspace_id: str = ""
    agent_id: str | None = None
    request_id: str = ""

    def may_enter(self, workspace_id: str) -> bool:
        """True when the workspace is among the grants."""
        return EVERY_WORKSPACE in self.grants or workspace_id in self.grants

    def at(self, workspace_id: str, agent_id: str | None = None) -> Principal:
        """The same principal placed in a workspace and acting as an agent (authorisation is `access.place`'s)."""
        return replace(self, workspace_id=workspace_id, agent_id=agent_id)
