"""The decisions about workspaces, people and keys; each takes the acting principal, who must be an administrator."""

from metronix.tenancy.services.keys import create_key, list_keys, revoke_key
from metronix.tenancy.services.users import create_user, get_user, list_users, set_password, update_user
from metronix.tenancy.services.workspaces import (
    create_workspace,
    delete_workspace,
    get_workspace,
    list_workspaces,
    update_workspace,
)

__all__ = [
    "create_key",
    "create_user",
    "create_workspace",
    "delete_workspace",
    "get_user",
    "get_workspace",
    "list_keys",
    "list_users",
    "list_workspaces",
    "revoke_key",
    "set_password",
    "update_user",
    "update_workspace",
]
