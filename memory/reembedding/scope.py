"""A change of model concerns all workspaces at once: it has no caller, and gives nothing of their contents away."""

from __future__ import annotations

from contextlib import AbstractContextManager

from metronix.tenancy.context import granted_visible
from metronix.tenancy.principal import EVERY_WORKSPACE, Door, Principal, PrincipalType, Role

_OPERATOR = Principal(
    id="command:reembed",
    type=PrincipalType.HUMAN,
    role=Role.ADMIN,
    grants=frozenset({EVERY_WORKSPACE}),
    door=Door.COMMAND,
)


def everywhere() -> AbstractContextManager[None]:
    """One transaction that sees and writes the rows of every workspace."""
    return granted_visible(_OPERATOR)
