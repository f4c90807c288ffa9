"""Creating and changing people, with their grants."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from metronix.errors import Conflict, Forbidden, InvalidParams, NotFound
from metronix.tenancy.context import granted_visible
from metronix.tenancy.models import Grant, User, Workspace
from metronix.tenancy.policy import (
    access_of_user,
    may_change_user,
    may_enter_all,
    require_administrator,
    require_entry,
    require_person_behind,
)
from metronix.tenancy.principal import EVERY_WORKSPACE, Principal, Role
from metronix.tenancy.services import checks


def visible_users(actor: Principal) -> QuerySet[User]:
    """The users that the actor may see, inside `granted_visible`: all, or those with a grant in the actor's
    workspaces (others' grants are invisible there, users of all workspaces have none)."""
    if may_enter_all(actor):
        return User.objects.all()
    return User.objects.filter(id__in=Grant.objects.values("user_id"), all_workspaces=False, is_superuser=False)


def list_users(actor: Principal) -> list[User]:
    """Visible users by e-mail address, with their visible grants at `user.grants.all()` (no further query)."""
    require_administrator(actor)
    with granted_visible(actor):
        return list(visible_users(actor).prefetch_related("grants").order_by("email"))


def get_user(actor: Principal, *, user_id: uuid.UUID | str) -> User:
    """One visible user, grants included. Errors: Forbidden, NotFound."""
    require_administrator(actor)
    with granted_visible(actor):
        return _find(actor, user_id)


def create_user(
    actor: Principal,
    *,
    email: str,
    password: str | None = None,
    role: Role = Role.VIEWER,
    workspaces: Iterable[str] = (),
    display_name: str = "",
    is_staff: bool = False,
) -> User:
    """A person with grants; `workspaces` holds ids, or "*" alone for all. Without a password nobody can log in yet.

    Errors: Forbidden (grants beyond the actor's), InvalidParams, Conflict (the address is taken).
    """
    require_administrator(actor)
    if password is not None:
        require_person_behind(actor)
    every, wanted = _grants(actor, workspaces)
    if not every and not wanted and not may_enter_all(actor):
        raise InvalidParams("Grant at least one of your workspaces.", field="workspaces")
    user = User(
        email=checks.email(email),
        display_name=checks.text("display_name", display_name, longest=checks.NAME_LENGTH),
        role=role.value,
        all_workspaces=every,
        is_staff=is_staff,
    )
    user.set_password(None if password is None else checks.password(password, user))
    with granted_visible(actor):
        try:
            with transaction.atomic():
                user.save(force_insert=True)
        except IntegrityError:
            raise Conflict("A user with this e-mail address exists already.", details={"field": "email"}) from None
        _set_grants(user, wanted)
        return _find(actor, user.id) if wanted or may_enter_all(actor) else user


def update_user(
    actor: Principal,
    *,
    user_id: uuid.UUID | str,
    email: str | None = None,
    role: Role | None = None,
    workspaces: Iterable[str] | None = None,
    display_name: str | None = None,
    is_staff: bool | None = None,
    is_active: bool | None = None,
) -> User:
    """Change what is given. `workspaces` replaces the grants the actor can see; others' stay as they are.

    Someone with access beyond the actor's can only be given or refused the actor's own workspaces. Nobody disables or
    demotes themselves, so that one administrator always remains. Errors: Forbidden, InvalidParams, NotFound, Conflict.
    """
    require_administrator(actor)
    grants = None if workspaces is None else _grants(actor, workspaces)
    with granted_visible(actor):
        user = _find(actor, user_id, lock=True)
        personal = (email, role, display_name, is_staff, is_active)
        if any(value is not None for value in personal) or (grants is not None and grants[0] != user.all_workspaces):
            _require_changeable(actor, user)
        if actor.id == f"user:{user.id}":
            _refuse_self_harm(role, is_staff, is_active, grants)
        if email is not None:
            user.email = checks.email(email)
        if display_name is not None:
            user.display_name = checks.text("display_name", display_name, longest=checks.NAME_LENGTH)
        user.role = user.role if role is None else role.value
        user.is_staff = user.is_staff if is_staff is None else is_staff
        user.is_active = user.is_active if is_active is None else is_active
        if grants is not None:
            user.all_workspaces = grants[0]
            _set_grants(user, grants[1])
        try:
            with transaction.atomic():
                user.save()
        except IntegrityError:
            raise Conflict("A user with this e-mail address exists already.", details={"field": "email"}) from None
        return User.objects.prefetch_related("grants").get(id=user.id)


def set_password(actor: Principal, *, user_id: uuid.UUID | str, password: str) -> None:
    """Set one's own password, or as an administrator that of someone within reach; ends their other admin sessions.

    Errors: Forbidden, InvalidParams, NotFound.
    """
    own = actor.id == f"user:{user_id}"
    require_person_behind(actor)
    if not own:
        require_administrator(actor)
    with granted_visible(actor):
        user = User.objects.select_for_update().filter(id=user_id).first() if own else _find(actor, user_id, lock=True)
        if user is None:
            raise _not_found(user_id)
        if not own:
            _require_changeable(actor, user)
        user.set_password(checks.password(password, user))
        user.save(update_fields=["password"])


def _grants(actor: Principal, workspaces: Iterable[str]) -> tuple[bool, frozenset[str]]:
    """(every workspace, ids), checked against what the actor has."""
    if isinstance(workspaces, str):
        raise InvalidParams("workspaces must be a list of ids.", field="workspaces")
    given = frozenset(workspaces)
    if EVERY_WORKSPACE in given:
        if len(given) > 1:
            raise InvalidParams('workspaces must be ids, or "*" alone.', field="workspaces")
        if not may_enter_all(actor):
            raise Forbidden("You can only give what you were given.", details={"field": "workspaces"})
        return True, frozenset()
    wanted = frozenset(checks.workspace_id(value) for value in given)
    require_entry(actor, wanted)
    return False, wanted


def _set_grants(user: User, wanted: frozenset[str]) -> None:
    """Make the visible grants exactly these; inside `granted_visible`."""
    present = set(Workspace.objects.filter(id__in=wanted).values_list("id", flat=True))
    if missing := sorted(wanted - present):
        raise InvalidParams(f"No such workspace: {', '.join(missing)}.", field="workspaces")
    Grant.objects.filter(user=user).exclude(workspace_id__in=wanted).delete()
    have = set(Grant.objects.filter(user=user).values_list("workspace_id", flat=True))
    Grant.objects.bulk_create(Grant(user=user, workspace_id=workspace) for workspace in sorted(wanted - have))


def _find(actor: Principal, user_id: uuid.UUID | str, *, lock: bool = False) -> User:
    try:
        wanted = user_id if isinstance(user_id, uuid.UUID) else uuid.UUID(user_id)
    except (ValueError, AttributeError, TypeError):
        raise _not_found(user_id) from None
    rows = visible_users(actor).select_for_update(of=("self",)) if lock else visible_users(actor)
    user = rows.prefetch_related("grants").filter(id=wanted).first()
    if user is None:
        raise _not_found(user_id)
    return user


def _not_found(user_id: object) -> NotFound:
    return NotFound(f"User not found: {str(user_id)[:64]}", details={"user_id": str(user_id)[:64]})


def _require_changeable(actor: Principal, user: User) -> None:
    access = access_of_user(user.id)
    if access is None or not may_change_user(actor, access):
        raise Forbidden(
            "This person has access beyond yours; you can only grant or withdraw your own workspaces.",
            hint="Ask an administrator of all workspaces.",
        )


def _refuse_self_harm(
    role: Role | None, is_staff: bool | None, is_active: bool | None, grants: tuple[bool, frozenset[str]] | None
) -> None:
    demoted = role is not None and role is not Role.ADMIN
    if demoted or is_staff is False or is_active is False or (grants is not None and not grants[0] and not grants[1]):
        raise Conflict(
            "You cannot disable or demote yourself, nor leave every workspace.",
            hint="Another administrator can.",
        )
