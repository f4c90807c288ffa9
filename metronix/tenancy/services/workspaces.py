"""Creating, changing and deleting workspaces."""

from __future__ import annotations

import logging
from typing import Any

from django.conf import settings
from django.db import IntegrityError, connection, transaction

from metronix.deadlock import again_after_deadlock
from metronix.errors import Conflict, Forbidden, WorkspaceNotFound
from metronix.tenancy.context import granted_visible, workspaces_visible
from metronix.tenancy.models import Workspace
from metronix.tenancy.policy import may_enter_all, require_administrator
from metronix.tenancy.principal import Principal
from metronix.tenancy.services import checks

logger = logging.getLogger(__name__)


def list_workspaces(actor: Principal) -> list[Workspace]:
    """Those granted to the actor, by id, inactive ones included; any role."""
    with granted_visible(actor):
        return list(Workspace.objects.order_by("id"))


def get_workspace(actor: Principal, *, workspace_id: str) -> Workspace:
    """One of the granted ones; any role. Errors: InvalidParams, WorkspaceNotFound."""
    with granted_visible(actor):
        return _find(actor, workspace_id)


def create_workspace(
    actor: Principal, *, workspace_id: str, name: str = "", description: str = "", config: dict[str, Any] | None = None
) -> Workspace:
    """A new workspace; only for administrators of all of them, as nobody can grant themselves a new one.

    Errors: Forbidden, InvalidParams, Conflict (the id is taken).
    """
    require_administrator(actor)
    if not may_enter_all(actor):
        raise Forbidden("Only an administrator of all workspaces may create one.", hint="Ask one of them.")
    wanted = checks.workspace_id(workspace_id)
    row = Workspace(
        id=wanted,
        name=checks.text("name", name, longest=checks.NAME_LENGTH) or wanted,
        description=checks.text("description", description, longest=checks.DESCRIPTION_LENGTH),
        config=checks.config({} if config is None else config),
    )
    try:
        with workspaces_visible(wanted), transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        raise Conflict(f"The workspace {wanted} exists already.", details={"workspace_id": wanted}) from None
    return row


def update_workspace(
    actor: Principal,
    *,
    workspace_id: str,
    name: str | None = None,
    description: str | None = None,
    config: dict[str, Any] | None = None,
    is_active: bool | None = None,
) -> Workspace:
    """Change what is given; an inactive workspace answers nobody but keeps its rows. Errors: as its siblings."""
    require_administrator(actor)
    with granted_visible(actor):
        row = _find(actor, workspace_id, lock=True)
        if name is not None:
            row.name = checks.text("name", name, longest=checks.NAME_LENGTH) or row.id
        if description is not None:
            row.description = checks.text("description", description, longest=checks.DESCRIPTION_LENGTH)
        if config is not None:
            row.config = checks.config(config)
        if is_active is not None:
            row.is_active = is_active
        row.save()
        return row


def delete_workspace(actor: Principal, *, workspace_id: str) -> None:
    """Delete the workspace with every row of every table in it (the trigger `empty_workspace`); there is no way back.

    Errors: Forbidden, WorkspaceNotFound, Conflict (the default workspace, which the next start would make anew).
    """
    require_administrator(actor)
    # Writers at work in it may be met the other way round; then it is tried again.
    again_after_deadlock(lambda: _delete(actor, workspace_id))


def _delete(actor: Principal, workspace_id: str) -> None:
    with granted_visible(actor):
        row = _find(actor, workspace_id, lock=True)
        if row.id == settings.DEFAULT_WORKSPACE_ID:
            raise Conflict(
                "The default workspace cannot be deleted.", hint="Set DEFAULT_WORKSPACE_ID to another one first."
            )
        with connection.cursor() as cursor:
            # Not the ORM's delete: it would collect every row into memory, and the audit trail refuses it.
            cursor.execute("DELETE FROM workspaces WHERE id = %s", [row.id])
    logger.warning("workspace %s was deleted by %s", row.id, actor.id)


def _find(actor: Principal, workspace_id: str, *, lock: bool = False) -> Workspace:
    wanted = checks.workspace_id(workspace_id)
    rows = Workspace.objects.select_for_update() if lock else Workspace.objects.all()
    row = rows.filter(id=wanted).first() if actor.may_enter(wanted) else None
    if row is None:
        raise WorkspaceNotFound(f"Workspace not found: {wanted}", details={"workspace_id": wanted})
    return row
