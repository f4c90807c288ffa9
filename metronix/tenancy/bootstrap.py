"""First start: the default workspace and a first administrator."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction

from metronix.errors import InvalidParams
from metronix.tenancy.context import workspaces_visible
from metronix.tenancy.models import WORKSPACE_ID_PATTERN, User, Workspace
from metronix.tenancy.principal import Role

FIRST_ADMIN_EMAIL = "admin@metronix.local"
# Without l, 1, o and 0, which are misread from a terminal.
_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"


@dataclass(frozen=True)
class Bootstrap:
    """What a first start made; `admin_password` is None when an administrator existed already."""

    workspace_id: str
    admin_email: str
    admin_password: str | None


def bootstrap() -> Bootstrap:
    """Create what is missing; safe to repeat."""
    workspace_id = settings.DEFAULT_WORKSPACE_ID
    ensure_workspace(workspace_id)
    with transaction.atomic():
        admin = User.objects.filter(is_superuser=True).order_by("created_at").first()
        if admin is not None:
            return Bootstrap(workspace_id, admin.email, None)
        password = readable_password()
        User.objects.create_user(
            FIRST_ADMIN_EMAIL,
            password,
            role=Role.ADMIN,
            all_workspaces=True,
            is_staff=True,
            is_superuser=True,
            display_name="Administrator",
        )
    return Bootstrap(workspace_id, FIRST_ADMIN_EMAIL, password)


def readable_password() -> str:
    """Sixteen random characters (79 bits) that can be read off a terminal and typed."""
    return "-".join("".join(secrets.choice(_ALPHABET) for _ in range(4)) for _ in range(4))


def ensure_workspace(workspace_id: str) -> None:
    """Create the workspace if it is missing. Error: InvalidParams for a malformed id."""
    if not re.match(WORKSPACE_ID_PATTERN, workspace_id):
        raise InvalidParams("A workspace id is 1 to 64 of A-Z a-z 0-9 _ -.", field="workspace_id")
    with workspaces_visible(workspace_id):
        Workspace.objects.get_or_create(id=workspace_id, defaults={"name": workspace_id})
