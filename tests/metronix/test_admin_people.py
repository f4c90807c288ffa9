"""Keys, users and workspaces in the admin."""

from __future__ import annotations

import re
import uuid

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import quote
from django.contrib.sessions.models import Session as LoginSession
from django.test import Client
from django.urls import reverse

from metronix.tenancy.context import workspaces_visible
from metronix.tenancy.credentials import hash_key, principal_for_key
from metronix.tenancy.models import ApiKey, User, Workspace
from metronix.tenancy.policy import access_of_user
from metronix.tenancy.principal import Role
from tests.support.admin import PASSWORD, client_of, staff
from tests.support.people import new_workspace

KEYS = "/admin/metronix/apikey/"
USERS = "/admin/metronix/user/"
WORKSPACES = "/admin/metronix/workspace/"


@pytest.fixture
def boss(workspace: str) -> Client:
    """An administrator of the one workspace."""
    return client_of(staff(workspace, role=Role.ADMIN))


@pytest.fixture
def root() -> Client:
    """An administrator of all."""
    return client_of(staff(role=Role.ADMIN))


def key_form(workspace: str, **changes: object) -> dict[str, object]:
    return {
        "workspace": workspace,
        "label": "ci",
        "agent_id": "",
        "role": "editor",
        "principal_type": "model",
    } | changes


def user_form(*workspaces: str, **changes: object) -> dict[str, object]:
    address = f"{uuid.uuid4().hex[:12]}@example.org"
    return {"email": address, "display_name": "", "role": "editor", "workspaces": list(workspaces)} | changes


def test_a_key_is_shown_exactly_once(boss: Client, workspace: str) -> None:
    answer = boss.post(f"{KEYS}add/", key_form(workspace, agent_id="hermes"))
    assert answer.status_code == 200 and "no-store" in answer["Cache-Control"]
    (secret,) = set(re.findall(r"mtk_[0-9a-f]{64}", answer.content.decode()))
    principal = principal_for_key(secret)
    assert principal is not None and (principal.bound_agent, principal.role) == ("hermes", Role.EDITOR)
    with workspaces_visible(workspace):
        row = ApiKey.objects.get()
    assert row.key_hash == hash_key(secret)
    for page in (KEYS, reverse("admin:metronix_apikey_change", args=[row.pk]), "/admin/"):
        shown = boss.get(page).content.decode()
        assert secret not in shown and row.key_hash not in shown
    kept = [entry.get_decoded() for entry in LoginSession.objects.all()]
    assert secret not in str(kept) + str(list(LogEntry.objects.values())) + str(boss.cookies)


def test_a_key_is_revoked_after_a_question(boss: Client, workspace: str) -> None:
    secret = re.search(r"mtk_[0-9a-f]{64}", boss.post(f"{KEYS}add/", key_form(workspace)).content.decode())
    assert secret is not None
    with workspaces_visible(workspace):
        row = ApiKey.objects.get()
    revoke = reverse("admin:metronix_apikey_revoke", args=[row.pk])
    assert "Revoke" in boss.get(revoke).content.decode()
    assert principal_for_key(secret[0]) is not None
    assert "opens nothing any more" in boss.post(revoke, follow=True).content.decode()
    assert principal_for_key(secret[0]) is None
    assert "revoked" in boss.get(f"{KEYS}?state=revoked").content.decode()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"agent_id": "not an id"}, "agent_id must be"),
        ({"expires_at_0": "2001-01-01", "expires_at_1": "00:00"}, "future"),
        ({"role": "owner"}, "valid choice"),
    ],
)
def test_a_bad_key_is_not_issued(boss: Client, workspace: str, change: dict[str, object], said: str) -> None:
    answer = boss.post(f"{KEYS}add/", key_form(workspace, **change))
    assert said in answer.content.decode() and "mtk_" not in answer.content.decode()
    with workspaces_visible(workspace):
        assert not ApiKey.objects.exists()


def test_no_key_for_what_one_was_not_granted(boss: Client) -> None:
    other = new_workspace("other")
    assert "mtk_" not in boss.post(f"{KEYS}add/", key_form(other)).content.decode()
    with workspaces_visible(other):
        assert not ApiKey.objects.exists()


def test_a_person_is_created_changed_and_disabled(boss: Client, workspace: str) -> None:
    sent = user_form(workspace, password=PASSWORD, is_staff="on")
    assert boss.post(f"{USERS}add/", sent).status_code == 302
    user = User.objects.get(email=sent["email"])
    assert user.check_password(PASSWORD) and user.is_staff and user.is_active
    page = reverse("admin:metronix_user_change", args=[user.pk])
    changed = user_form(workspace, email=user.email, display_name="Ada", role="viewer")
    assert boss.post(page, changed).status_code == 302
    user.refresh_from_db()
    assert (user.display_name, user.role, user.is_active, user.is_staff) == ("Ada", "viewer", False, False)
    password = reverse("admin:metronix_user_password", args=[user.pk])
    assert "too common" in boss.post(password, {"password": "password123", "again": "password123"}).content.decode()
    assert "differ" in boss.post(password, {"password": "one long word", "again": "another long"}).content.decode()
    assert boss.post(password, {"password": "one long word", "again": "one long word"}).status_code == 302
    user.refresh_from_db()
    assert user.check_password("one long word")


def test_what_the_service_refuses_stands_at_its_field(boss: Client, workspace: str) -> None:
    taken = staff(workspace)
    answer = boss.post(f"{USERS}add/", user_form(workspace, email=taken.email))
    assert answer.status_code == 200 and "already exists" in answer.content.decode()
    answer = boss.post(f"{USERS}add/", user_form(workspace, password="short"))
    assert "at least 10 characters" in answer.content.decode()
    answer = boss.post(f"{USERS}add/", user_form())
    assert "at least one of your workspaces" in answer.content.decode()


def test_nobody_gives_what_they_do_not_have(boss: Client, workspace: str) -> None:
    other = new_workspace("other")
    for sent in (user_form(other), user_form(workspace, other), user_form(every_workspace="on")):
        boss.post(f"{USERS}add/", sent)
        assert not User.objects.filter(email=sent["email"]).exists()
    shared = staff(workspace, other, role=Role.VIEWER)
    page = reverse("admin:metronix_user_change", args=[shared.pk])
    shown = boss.get(page).content.decode()
    assert other not in shown and 'name="role"' not in shown
    boss.post(page, user_form(email="taken@over.example", role="admin", is_active="on"))
    shared.refresh_from_db()
    access = access_of_user(shared.pk)
    assert access is not None and (shared.role, access.workspaces) == ("viewer", {other})
    assert shared.email != "taken@over.example"
    assert boss.post(reverse("admin:metronix_user_password", args=[shared.pk]), {}).status_code == 404


def test_own_password_goes_through_the_service(workspace: str) -> None:
    user = staff(workspace, role=Role.VIEWER)
    client = client_of(user)
    sent = {"old_password": PASSWORD, "new_password1": "a brand new one", "new_password2": "a brand new one"}
    assert client.get("/admin/password_change/").status_code == 200
    assert client.post("/admin/password_change/", sent | {"old_password": "wrong"}).status_code == 200
    assert client.post("/admin/password_change/", sent).status_code == 302
    user.refresh_from_db()
    assert user.check_password("a brand new one")
    assert client.get("/admin/").status_code == 200


def test_a_workspace_is_created_closed_and_deleted(root: Client) -> None:
    # _40 is how the admin spells @ in its addresses.
    name = f"w_40_{uuid.uuid4().hex[:10]}"
    assert root.post(f"{WORKSPACES}add/", {"id": name, "name": "N", "config": "{}"}).status_code == 302
    page = reverse("admin:metronix_workspace_change", args=[quote(name)])
    assert root.post(page, {"name": "N2", "config": '{"a": 1}'}).status_code == 302
    with workspaces_visible(name):
        row = Workspace.objects.get()
    assert (row.name, row.config, row.is_active) == ("N2", {"a": 1}, False)
    delete = reverse("admin:metronix_workspace_delete_all", args=[name])
    assert "no way back" in root.get(delete).content.decode()
    assert root.post(delete).status_code == 302
    with workspaces_visible(name):
        assert not Workspace.objects.exists()


def test_only_administrators_of_all_create_workspaces(boss: Client, root: Client) -> None:
    assert boss.get(f"{WORKSPACES}add/").status_code == 403
    for bad in ("a b", "a,b", "*", "x" * 65, ""):
        answer = root.post(f"{WORKSPACES}add/", {"id": bad, "name": "N", "config": "{}"})
        assert answer.status_code == 200 and "error" in answer.content.decode(), bad


def test_the_stock_deletion_is_closed(root: Client, boss: Client, workspace: str) -> None:
    user = staff(workspace)
    for page in (
        reverse("admin:metronix_workspace_delete", args=[workspace]),
        reverse("admin:metronix_user_delete", args=[user.pk]),
    ):
        for client in (root, boss):
            assert client.post(page, {"post": "yes"}).status_code == 403
    assert User.objects.filter(pk=user.pk).exists()
