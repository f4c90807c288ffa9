"""Workspaces of a test's own, and the three people of every suite: owner, colleague, stranger."""

from __future__ import annotations

import uuid

from metronix.tenancy.context import workspaces_visible
from metronix.tenancy.models import Workspace
from metronix.tenancy.principal import EVERY_WORKSPACE, Door, Principal, PrincipalType, Role


def new_workspace(name: str = "w") -> str:
    """A fresh workspace's id."""
    workspace_id = f"{name}_{uuid.uuid4().hex[:12]}"
    with workspaces_visible(workspace_id):
        Workspace.objects.create(id=workspace_id, name=workspace_id)
    return workspace_id


def model_principal(
    workspace_id: str, agent_id: str | None = "hermes", *, role: Role = Role.EDITOR, door: Door = Door.MCP
) -> Principal:
    """A model in a workspace, acting as an agent."""
    return Principal(
        id="key:test",
        type=PrincipalType.MODEL,
        role=role,
        grants=frozenset({workspace_id}),
        door=door,
        workspace_id=workspace_id,
        agent_id=agent_id,
    )


def administrator(*workspace_ids: str, role: Role = Role.ADMIN, user_id: str = "test") -> Principal:
    """A person of the admin; without workspaces, one who was granted all of them."""
    return Principal(
        id=f"user:{user_id}",
        type=PrincipalType.HUMAN,
        role=role,
        grants=frozenset(workspace_ids) or frozenset({EVERY_WORKSPACE}),
        door=Door.ADMIN,
    )
