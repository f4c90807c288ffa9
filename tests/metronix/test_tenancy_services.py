"""Workspaces, people and keys, administered: nobody sees, changes or gives what they were not given."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import Any

import pytest

from memory.models import MachineEvent, MemoryRecord
from memory.services import store_record, update_record
from metronix.errors import Conflict, Forbidden, InvalidParams, NotFound, WorkspaceNotFound
from metronix.tenancy import services
from metronix.tenancy.context import granted_visible, workspaces_visible
from metronix.tenancy.credentials import principal_for_key
from metronix.tenancy.models import User, Workspace
from metronix.tenancy.policy import access_of_user, admin_principal
from metronix.tenancy.principal import Principal, PrincipalType, Role
from metronix.tenancy.services import keepers
from tests.support.people import administrator, new_workspace


def address() -> str:
    return f"{uuid.uuid4().hex}@example.org"


def test_every_workspace_is_said_without_a_list(owner: Principal, stranger: Principal) -> None:
    store_record(owner, content="mine")
    store_record(stranger, content="theirs")
    places = {owner.workspace_id, stranger.workspace_id}
    with granted_visible(administrator()):
        assert set(MemoryRecord.objects.filter(workspace__in=places).values_list("content", flat=True)) == {
            "mine",
            "theirs",
        }
        with workspaces_visible(owner.workspace_id):
            assert MemoryRecord.objects.get().content == "mine"
        assert MemoryRecord.objects.filter(workspace__in=places).count() == 2
    assert Workspace.objects.count() == 0
    for forged in ("*", "a,b"):
        with pytest.raises(ValueError, match="not the id"):
            workspaces_visible(forged)


def test_a_workspace_lives_and_dies_with_all_its_rows(workspace: str) -> None:
    boss = administrator()
    made = services.create_workspace(boss, workspace_id=f"{workspace}_x", description="for a test")
    assert (made.name, made.is_active) == (made.id, True)
    with pytest.raises(Conflict):
        services.create_workspace(boss, workspace_id=made.id)
    assert services.update_workspace(boss, workspace_id=made.id, name="N", is_active=False).is_active is False
    services.update_workspace(boss, workspace_id=made.id, is_active=True)
    agent = replace(boss.at(made.id, "hermes"), type=PrincipalType.MODEL)
    record = store_record(agent, content="one", session_id="s").record
    update_record(agent, record_id=str(record.id), content="two")
    services.create_key(boss, workspace_id=made.id)
    services.create_user(boss, email=address(), workspaces=[made.id])
    services.delete_workspace(boss, workspace_id=made.id)
    with workspaces_visible(made.id):
        assert not Workspace.objects.exists()
        assert not MemoryRecord.objects.exists()
        assert not MachineEvent.objects.exists()
    with pytest.raises(WorkspaceNotFound):
        services.delete_workspace(boss, workspace_id=made.id)


def test_an_administrator_of_one_workspace_knows_no_other(workspace: str, stranger: Principal) -> None:
    local = administrator(workspace)
    assert [row.id for row in services.list_workspaces(local)] == [workspace]
    for act in (services.get_workspace, services.update_workspace, services.delete_workspace):
        with pytest.raises(WorkspaceNotFound):
            act(local, workspace_id=stranger.workspace_id)
    with pytest.raises(Forbidden):
        services.create_workspace(local, workspace_id=new_workspace("n") + "x")
    foreign, _ = services.create_key(administrator(), workspace_id=stranger.workspace_id)
    assert services.list_keys(local) == []
    with pytest.raises(NotFound):
        services.revoke_key(local, key_id=foreign.id)
    with pytest.raises(Forbidden):
        services.create_key(local, workspace_id=stranger.workspace_id)


def test_users_are_managed_within_what_the_manager_has(workspace: str, stranger: Principal) -> None:
    boss, local = administrator(), administrator(workspace)
    mine = services.create_user(local, email=address(), workspaces=[workspace], role=Role.EDITOR, is_staff=True)
    shared = services.create_user(boss, email=address(), workspaces=[workspace, stranger.workspace_id])
    theirs = services.create_user(boss, email=address(), workspaces=[stranger.workspace_id])
    everywhere = services.create_user(boss, email=address(), workspaces=["*"], role=Role.ADMIN)
    assert {user.id for user in services.list_users(local)} == {mine.id, shared.id}
    assert {mine.id, shared.id, theirs.id, everywhere.id} <= {user.id for user in services.list_users(boss)}
    assert [grant.workspace_id for grant in services.get_user(local, user_id=shared.id).grants.all()] == [workspace]
    for user in (theirs, everywhere):
        with pytest.raises(NotFound):
            services.update_user(local, user_id=user.id, display_name="x")
        with pytest.raises(NotFound):
            services.set_password(local, user_id=user.id, password="a fine long one")
    for change in ({"role": Role.ADMIN}, {"is_active": False}, {"email": address()}, {"workspaces": ["*"]}):
        with pytest.raises(Forbidden):
            services.update_user(local, user_id=shared.id, **change)
    with pytest.raises(Forbidden):
        services.set_password(local, user_id=shared.id, password="a fine long one")
    services.update_user(local, user_id=shared.id, workspaces=[])
    access = access_of_user(shared.id)
    assert access is not None and access.workspaces == {stranger.workspace_id}
    with pytest.raises(Forbidden):
        services.update_user(local, user_id=mine.id, workspaces=[workspace, stranger.workspace_id])
    with pytest.raises(InvalidParams):
        services.create_user(local, email=address())


def test_a_password_is_checked_and_set(workspace: str) -> None:
    boss = administrator()
    user = services.create_user(boss, email=f"Who.{address()}", workspaces=[workspace])
    assert not user.has_usable_password() and user.email == user.email.lower()
    for bad in ("short", "password123", "x\0" * 9):
        with pytest.raises(InvalidParams) as caught:
            services.set_password(boss, user_id=user.id, password=bad)
        assert caught.value.details["field"] == "password"
    services.set_password(boss, user_id=user.id, password="a fine long one")
    assert User.objects.get(id=user.id).check_password("a fine long one")
    own = admin_principal(user.id, superuser=False)
    services.set_password(own, user_id=str(user.id), password="another long one")
    with pytest.raises(Conflict):
        services.create_user(boss, email=user.email.upper(), workspaces=[workspace])


def test_nobody_removes_themselves(workspace: str) -> None:
    user = services.create_user(administrator(), email=address(), workspaces=[workspace], role=Role.ADMIN)
    me = admin_principal(user.id, superuser=False)
    assert me.grants == {workspace}
    change: dict[str, Any]
    for change in ({"role": Role.EDITOR}, {"is_active": False}, {"is_staff": False}, {"workspaces": []}):
        with pytest.raises(Conflict):
            services.update_user(me, user_id=user.id, **change)
    assert services.update_user(me, user_id=user.id, display_name="Me").display_name == "Me"


def test_a_key_is_issued_listed_and_revoked(workspace: str) -> None:
    boss = administrator(workspace)
    row, secret = services.create_key(boss, workspace_id=workspace, role=Role.VIEWER, label="ci")
    assert principal_for_key(secret) is not None
    assert [key.id for key in services.list_keys(boss, active=True)] == [row.id]
    assert services.list_keys(boss)[0].created_by == boss.id
    services.revoke_key(boss, key_id=str(row.id))
    revoked = services.revoke_key(boss, key_id=row.id)
    assert revoked.revoked_at is not None and principal_for_key(secret) is None
    assert services.list_keys(boss, active=True) == []
    with pytest.raises(NotFound):
        services.revoke_key(boss, key_id="nonsense")


def test_a_model_cannot_promote_itself(workspace: str) -> None:
    model = replace(administrator(workspace), type=PrincipalType.MODEL)
    with pytest.raises(Forbidden):
        services.create_key(model, workspace_id=workspace, principal_type=PrincipalType.HUMAN)
    with pytest.raises(Forbidden):
        services.create_key(replace(model, bound_agent="hermes"), workspace_id=workspace)
    user = services.create_user(administrator(), email=address(), workspaces=[workspace], role=Role.ADMIN)
    # A key, a token that no login gave out (create_token, another issuer), even about the very user.
    for identity in ("key:x", f"user:{user.id}", "sub:x"):
        with pytest.raises(Forbidden):
            services.set_password(replace(model, id=identity), user_id=user.id, password="a fine long one")
        with pytest.raises(Forbidden):
            services.create_user(
                replace(model, id=identity), email=address(), workspaces=[workspace], password="a fine long one"
            )


def test_the_keys_of_a_person_end_with_their_access(workspace: str) -> None:
    boss = administrator()
    user = services.create_user(boss, email=address(), workspaces=[workspace], role=Role.EDITOR)
    row, secret = keepers.create_key_for(boss, user_id=str(user.id), workspace_id=workspace)
    assert (row.created_by, row.keeper_id) == (boss.id, user.id)
    assert principal_for_key(secret) is not None
    services.update_user(boss, user_id=user.id, is_active=False)
    assert principal_for_key(secret) is None
    services.update_user(boss, user_id=user.id, is_active=True)
    assert principal_for_key(secret) is not None
    services.update_user(boss, user_id=user.id, workspaces=[new_workspace()])
    assert principal_for_key(secret) is None


@pytest.mark.parametrize("role", [Role.VIEWER, Role.EDITOR])
def test_administration_needs_an_administrator(workspace: str, role: Role) -> None:
    actor = administrator(workspace, role=role)
    nobody = uuid.uuid4()
    for act in (
        lambda: services.create_workspace(actor, workspace_id="w"),
        lambda: services.update_workspace(actor, workspace_id=workspace, name="x"),
        lambda: services.delete_workspace(actor, workspace_id=workspace),
        lambda: services.create_user(actor, email=address(), workspaces=[workspace]),
        lambda: services.update_user(actor, user_id=nobody, display_name="x"),
        lambda: services.set_password(actor, user_id=nobody, password="a fine long one"),
        lambda: services.list_users(actor),
        lambda: services.get_user(actor, user_id=nobody),
        lambda: services.create_key(actor, workspace_id=workspace),
        lambda: services.list_keys(actor),
        lambda: services.revoke_key(actor, key_id=nobody),
    ):
        with pytest.raises(Forbidden):
            act()
    assert [row.id for row in services.list_workspaces(actor)] == [workspace]
