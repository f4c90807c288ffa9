"""People at the admin: real users with real logins."""

from __future__ import annotations

import uuid

from django.test import Client

from metronix.tenancy.models import User
from metronix.tenancy.principal import Role
from metronix.tenancy.services import create_user
from tests.support.people import administrator

PASSWORD = "a fine long one"


def staff(*workspace_ids: str, role: Role = Role.EDITOR) -> User:
    """A user who may log in to the admin; no workspaces means all of them."""
    return create_user(
        administrator(),
        email=f"{uuid.uuid4().hex[:12]}@example.org",
        password=PASSWORD,
        role=role,
        workspaces=workspace_ids or ["*"],
        is_staff=True,
    )


def client_of(user: User) -> Client:
    """A browser in which the user is logged in; errors of views are raised."""
    client = Client()
    client.force_login(user)
    return client
