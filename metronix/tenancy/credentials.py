"""API keys and local users: from a secret or a subject to a Principal."""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import datetime

from django.db import connection

from metronix.errors import AuthRequired, InvalidParams
from metronix.tenancy.access import require_existing
from metronix.tenancy.context import workspaces_visible
from metronix.tenancy.models import AGENT_ID_PATTERN, ApiKey, User
from metronix.tenancy.principal import EVERY_WORKSPACE, Door, Principal, PrincipalType, Role

KEY_PREFIX = "mtk_"


def hash_key(raw_key: str) -> str:
    """SHA-256, hex. A key carries 256 random bits, so a slow password hash would only cost time on every call."""
    return hashlib.sha256(raw_key.encode("utf-8", "surrogatepass")).hexdigest()


def issue_key(
    *,
    workspace_id: str,
    agent_id: str | None = None,
    role: Role = Role.EDITOR,
    principal_type: PrincipalType = PrincipalType.MODEL,
    label: str = "",
    expires_at: datetime | None = None,
    created_by: str = "",
    keeper: User | None = None,
) -> tuple[ApiKey, str]:
    """A new key: the row, and the secret, which cannot be read again. Errors: WorkspaceNotFound, InvalidParams."""
    if agent_id is not None and not re.match(AGENT_ID_PATTERN, agent_id):
        raise InvalidParams("agent must be 1 to 64 of A-Z a-z 0-9 . _ -.", field="agent_id")
    require_existing(workspace_id)
    raw_key = KEY_PREFIX + secrets.token_hex(32)
    with workspaces_visible(workspace_id):
        row = ApiKey.objects.create(
            workspace_id=workspace_id,
            agent_id=agent_id,
            role=role,
            principal_type=principal_type,
            label=label,
            expires_at=expires_at,
            created_by=created_by,
            keeper=keeper,
            prefix=raw_key[:12],
            key_hash=hash_key(raw_key),
        )
    return row, raw_key


def principal_for_key(raw_key: str, door: Door = Door.MCP) -> Principal | None:
    """The principal of a valid key; None for one that is unknown, revoked or expired.

    The lookup runs before any workspace is known, hence through a SECURITY DEFINER function that takes a hash and
    gives one row. A key counts as human only on REST, whoever issued it.
    """
    if not raw_key.startswith(KEY_PREFIX):
        return None
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, workspace_id, agent_id, role, principal_type FROM metronix_key_by_hash(%s)", [hash_key(raw_key)]
        )
        row = cursor.fetchone()
    if row is None:
        return None
    key_id, workspace_id, agent_id, role, principal_type = row
    human = principal_type == PrincipalType.HUMAN and door is Door.REST
    return Principal(
        id=f"key:{key_id}",
        type=PrincipalType.HUMAN if human else PrincipalType.MODEL,
        role=Role(role),
        grants=frozenset({workspace_id}),
        door=door,
        bound_agent=agent_id,
        key_workspace=workspace_id,
        logged_agent=agent_id,
    )


def principal_for_user_sub(subject: str, door: Door = Door.REST) -> Principal | None:
    """The local user with this id as text, as they are now; None where `subject` is nobody here.

    Asked at every call with a token, so that disabling a user or withdrawing a grant ends access at once.
    Error: AuthRequired for a disabled user, whoever issued the token.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT role, is_active, all_workspaces, workspaces FROM metronix_user_access(%s)", [subject])
        row = cursor.fetchone()
    if row is None:
        return None
    role, is_active, all_workspaces, workspaces = row
    if not is_active:
        raise AuthRequired("This user is disabled.", hint="Ask an administrator.")
    return Principal(
        id=f"user:{subject}",
        type=PrincipalType.MODEL,
        role=Role(role),
        grants=frozenset({EVERY_WORKSPACE}) if all_workspaces else frozenset(workspaces or ()),
        door=door,
    )
