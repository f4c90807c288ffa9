"""From a caller to a caller in a workspace, acting as an agent; `tenancy.access` decides, this asks in REST's order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from metronix.api.errors import BadRequest
from metronix.errors import InvalidParams
from metronix.tenancy.access import DEFAULT_WORDS, choose_agent, choose_workspace, require_existing, require_role
from metronix.tenancy.principal import Principal, Role


@dataclass(frozen=True)
class Located:
    """A principal whose role and grant were found sufficient; `workspace_id` is empty where none is needed."""

    principal: Principal
    workspace_id: str

    def act(self, query: Any, body: Any) -> Principal:
        """Place the principal, as the agent that the body or the query names.

        Raises InvalidParams, Forbidden (a key bound to another agent), WorkspaceNotFound.
        """
        if not self.workspace_id:
            return self.principal
        asked = [getattr(given, "agent_id", None) for given in (body, query)]
        if None not in asked and asked[0] != asked[1]:
            raise InvalidParams("agent_id differs between the body and the query.", field="agent_id")
        agent_id = choose_agent(self.principal, next((name for name in asked if name is not None), None))
        require_existing(self.workspace_id)
        return self.principal.at(self.workspace_id, agent_id)


def place_call(principal: Principal, requested: Any, *, role: Role, placed: bool) -> Located:
    """Check role and grant; reads no data. Raises BadRequest (malformed workspace id), Forbidden."""
    if isinstance(requested, list):
        raise BadRequest("workspace_id is given more than once.", details={"field": "workspace_id"})
    if not placed and requested in DEFAULT_WORDS:
        require_role(principal, role)
        return Located(principal, "")
    workspace_id = named_workspace(principal, requested)
    require_role(principal, role)
    return Located(principal, workspace_id if placed else "")


def named_workspace(principal: Principal, workspace_id: str | None) -> str:
    """The workspace a query or a path names; None is the default. Raises BadRequest, Forbidden."""
    try:
        return choose_workspace(principal, workspace_id)
    except InvalidParams as problem:
        raise BadRequest(problem.message, hint=problem.hint, details=problem.details) from None
