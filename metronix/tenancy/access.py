"""The one policy that every door asks: may this principal act there, as that agent, with that role?"""

from __future__ import annotations

import re

from django.conf import settings

from metronix.errors import Forbidden, InvalidParams, WorkspaceNotFound
from metronix.tenancy.context import workspaces_visible
from metronix.tenancy.models import AGENT_ID_PATTERN, WORKSPACE_ID_PATTERN, Workspace
from metronix.tenancy.principal import EVERY_WORKSPACE, Principal, Role

DEFAULT_WORDS = (None, "", "default")


def place(principal: Principal, *, workspace: str | None, agent: str | None, role: Role) -> Principal:
    """The principal acting in `workspace` as `agent`, or the refusal.

    `workspace` None, empty or "default" picks the default. Errors: InvalidParams (malformed ids), Forbidden (grant,
    role or key binding), WorkspaceNotFound (granted, but absent).
    """
    workspace_id = choose_workspace(principal, workspace)
    require_role(principal, role)
    agent_id = choose_agent(principal, agent)
    require_existing(workspace_id)
    return principal.at(workspace_id, agent_id)


def choose_workspace(principal: Principal, requested: str | None) -> str:
    """The workspace id meant by a request; reads no data. Errors: InvalidParams, Forbidden."""
    if requested in DEFAULT_WORDS:
        return default_workspace(principal)
    assert requested is not None
    if not re.match(WORKSPACE_ID_PATTERN, requested):
        raise InvalidParams(
            "workspace_id must be 1 to 64 of A-Z a-z 0-9 _ -.", field="workspace_id", hint="Check the workspace id."
        )
    if not principal.may_enter(requested):
        raise Forbidden(
            f"No grant for workspace {requested}.",
            hint="Use a workspace you were granted, or ask an administrator for access.",
            details={"workspace_id": requested},
        )
    return requested


def default_workspace(principal: Principal) -> str:
    """A key's own workspace, else DEFAULT_WORKSPACE_ID where granted, else the first granted by id."""
    if principal.key_workspace:
        return principal.key_workspace
    if principal.may_enter(settings.DEFAULT_WORKSPACE_ID):
        return settings.DEFAULT_WORKSPACE_ID
    granted = sorted(principal.grants - {EVERY_WORKSPACE})
    if not granted:
        raise Forbidden("This credential has no workspace.", hint="Ask an administrator for a grant.")
    return granted[0]


def choose_agent(principal: Principal, requested: str | None) -> str | None:
    """The agent to act as: the argument, else the header, within a key's binding. Errors: InvalidParams, Forbidden."""
    if requested is not None and not re.match(AGENT_ID_PATTERN, requested):
        raise InvalidParams(
            "agent_id must be 1 to 64 of A-Z a-z 0-9 . _ -.",
            field="agent_id",
            hint="Use a stable slug or UUID, such as my-agent-001.",
        )
    if principal.bound_agent:
        if requested is not None and requested != principal.bound_agent:
            raise Forbidden(
                f"This key may act as agent {principal.bound_agent} only.",
                hint="Use the key's own agent id.",
                details={"field": "agent_id"},
            )
        return principal.bound_agent
    return requested if requested is not None else principal.logged_agent


def require_role(principal: Principal, role: Role) -> None:
    """Error: Forbidden, naming both roles."""
    if not principal.role.includes(role):
        raise Forbidden(
            f"This needs the role {role.value}; the credential has {principal.role.value}.",
            hint="Use a credential with a higher role.",
            details={"required_role": role.value},
        )


def require_existing(workspace_id: str) -> None:
    """Error: WorkspaceNotFound, for absent and for deactivated workspaces."""
    with workspaces_visible(workspace_id):
        if not Workspace.objects.filter(id=workspace_id, is_active=True).exists():
            raise WorkspaceNotFound(
                f"Workspace not found: {workspace_id}",
                hint="Check the id, or create the workspace first.",
                details={"workspace_id": workspace_id},
            )
