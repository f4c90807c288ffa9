"""Issuing, listing and revoking API keys as an administrator."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

from django.utils import timezone

from metronix.errors import Forbidden, InvalidParams, NotFound
from metronix.strict_fields import LATEST_YEAR
from metronix.tenancy.context import granted_visible
from metronix.tenancy.credentials import issue_key
from metronix.tenancy.models import ApiKey, User
from metronix.tenancy.policy import require_administrator, require_entry
from metronix.tenancy.principal import Principal, PrincipalType, Role
from metronix.tenancy.services import checks


def create_key(
    actor: Principal,
    *,
    workspace_id: str,
    agent_id: str | None = None,
    role: Role = Role.EDITOR,
    principal_type: PrincipalType = PrincipalType.MODEL,
    label: str = "",
    expires_at: datetime | None = None,
    keeper: User | None = None,
) -> tuple[ApiKey, str]:
    """A key for a granted workspace: the row, and the secret, which cannot be read again.

    A key with a keeper ends with the keeper's access. Only a person may issue a key that counts as a person: else a
    model with an administrator's credential could promote itself. Errors: Forbidden, InvalidParams, WorkspaceNotFound.
    """
    require_administrator(actor)
    wanted = checks.workspace_id(workspace_id)
    require_entry(actor, frozenset({wanted}))
    if principal_type is PrincipalType.HUMAN and actor.type is not PrincipalType.HUMAN:
        raise Forbidden("Only a person may issue a key that counts as a person.", hint="Log in, or issue a model key.")
    if expires_at is not None and (
        timezone.is_naive(expires_at) or not timezone.now() < expires_at < datetime(LATEST_YEAR, 1, 1, tzinfo=UTC)
    ):
        raise InvalidParams("expires_at must be a future time with an offset.", field="expires_at")
    return issue_key(
        workspace_id=wanted,
        agent_id=checks.agent_id(agent_id),
        role=role,
        principal_type=principal_type,
        label=checks.text("label", label, longest=checks.NAME_LENGTH),
        expires_at=expires_at,
        created_by=actor.id,
        keeper=keeper,
    )


def list_keys(
    actor: Principal, *, workspace_id: str | None = None, keeper: User | None = None, active: bool | None = None
) -> list[ApiKey]:
    """Keys of the granted workspaces, newest first; `active` True leaves out revoked and expired ones."""
    require_administrator(actor)
    with granted_visible(actor):
        rows = ApiKey.objects.order_by("-created_at", "-id")
        if workspace_id is not None:
            require_entry(actor, frozenset({checks.workspace_id(workspace_id)}))
            rows = rows.filter(workspace_id=workspace_id)
        if keeper is not None:
            rows = rows.filter(keeper=keeper)
        found = list(rows)
    return found if active is None else [row for row in found if is_active(row) is active]


def is_active(row: ApiKey) -> bool:
    """Whether the key still opens anything."""
    return row.revoked_at is None and (row.expires_at is None or row.expires_at > timezone.now())


def revoke_key(actor: Principal, *, key_id: uuid.UUID | str) -> ApiKey:
    """The key opens nothing from now on; again: the same answer. Errors: Forbidden, NotFound."""
    require_administrator(actor)
    try:
        wanted = key_id if isinstance(key_id, uuid.UUID) else uuid.UUID(key_id)
    except (ValueError, AttributeError, TypeError):
        raise _not_found(key_id) from None
    with granted_visible(actor):
        row = ApiKey.objects.select_for_update().filter(id=wanted).first()
        if row is None:
            raise _not_found(key_id)
        if row.revoked_at is None:
            row.revoked_at = timezone.now()
            row.save(update_fields=["revoked_at"])
        return row


def _not_found(key_id: object) -> NotFound:
    return NotFound(f"API key not found: {str(key_id)[:64]}", details={"key_id": str(key_id)[:64]})
