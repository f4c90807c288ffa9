"""Who may administer what: asked by the services below, and by the admin for the buttons it shows.

Reading and writing memories is decided by role (`access.require_role`); this is about workspaces, people and keys.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection

from metronix.errors import Forbidden
from metronix.tenancy.access import require_role
from metronix.tenancy.principal import EVERY_WORKSPACE, LOCAL, Door, Principal, PrincipalType, Role


@dataclass(frozen=True, slots=True)
class Access:
    """What a user may enter, read around row-level security: an administrator must know whom they would change."""

    role: Role
    all_workspaces: bool
    workspaces: frozenset[str]


def may_read(actor: Principal) -> bool:
    """Everyone who was let in, within the granted workspaces."""
    return actor.role.includes(Role.VIEWER)


def may_edit(actor: Principal) -> bool:
    """Change memories: editors, who are the operators of the admin, and administrators."""
    return actor.role.includes(Role.EDITOR)


def may_administer(actor: Principal) -> bool:
    """Change workspaces, people and keys. Not with an agent's key, whatever its role: it would outgrow its agent."""
    return actor.role.includes(Role.ADMIN) and actor.bound_agent is None


def may_enter_all(actor: Principal) -> bool:
    """Whether workspaces yet unknown are open to the actor; needed to create one and to see users without grants."""
    return EVERY_WORKSPACE in actor.grants


def may_change_user(actor: Principal, access: Access) -> bool:
    """Only those whose access lies within the actor's: who can set a password can log in with it."""
    if not may_administer(actor):
        return False
    return may_enter_all(actor) or (not access.all_workspaces and access.workspaces <= actor.grants)


def require_administrator(actor: Principal) -> None:
    """Error: Forbidden."""
    require_role(actor, Role.ADMIN)
    if actor.bound_agent is not None:
        raise Forbidden("A key bound to an agent administers nothing.", hint="Use an administrator's own credential.")


def require_person_behind(actor: Principal) -> None:
    """Passwords are set by people: who can set one can log in as a person and decide what only people may.

    A person is someone logged in, a command on the server's shell, or whoever reaches a server in local mode, which
    has no other way to its first users over REST (docs/identity.md); not an API key, and not a token that no login
    gave out. Error: Forbidden.
    """
    if actor.type is PrincipalType.MODEL and actor.id != LOCAL:
        raise Forbidden(
            "A password can only be set by a person.",
            hint="Log in at /api/v1/auth/login or in the admin, or use manage.py create_user.",
            details={"field": "password"},
        )


def require_entry(actor: Principal, workspace_ids: frozenset[str]) -> None:
    """Nobody grants or administers what they do not have. Error: Forbidden, naming the workspaces."""
    foreign = sorted(w for w in workspace_ids if not (may_enter_all(actor) or w in actor.grants))
    if foreign:
        raise Forbidden(
            f"No grant for {', '.join(foreign)}.",
            hint="You can only give what you were given.",
            details={"workspace_ids": foreign},
        )


def access_of_user(user_id: object) -> Access | None:
    """The user's role and grants as they are now; None for nobody."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT role, all_workspaces, workspaces FROM metronix_user_access(%s)", [str(user_id)])
        row = cursor.fetchone()
    if row is None:
        return None
    role, all_workspaces, workspaces = row
    return Access(Role(role), all_workspaces, frozenset(workspaces or ()))


def admin_principal(user_id: object, *, superuser: bool) -> Principal:
    """The person behind an admin session, with what they are granted at this moment."""
    access = access_of_user(user_id) or Access(Role.VIEWER, False, frozenset())
    every = superuser or access.all_workspaces
    return Principal(
        id=f"user:{user_id}",
        type=PrincipalType.HUMAN,
        role=Role.ADMIN if superuser else access.role,
        grants=frozenset({EVERY_WORKSPACE}) if every else access.workspaces,
        door=Door.ADMIN,
    )
