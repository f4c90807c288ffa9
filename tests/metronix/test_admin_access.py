"""Who sees and does what in the admin: every page, for owner, colleague (a viewer) and stranger."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from memory.models import Delivery, MachineEvent, MemoryRecord, Session
from memory.services import store_record, update_record
from metronix.tenancy.context import workspaces_visible
from metronix.tenancy.models import Agent, ApiKey, User, Workspace
from metronix.tenancy.principal import Principal, Role
from metronix.tenancy.services import create_key, update_workspace
from tests.support.admin import PASSWORD, client_of, staff
from tests.support.people import administrator

SECRET = "the-zanzibar-protocol"
ADMINISTRATORS_ALONE = {User, ApiKey}


@pytest.fixture
def furnished(owner: Principal) -> dict[type, Any]:
    """One row of every registered model in the owner's workspace, by model; each text or id is recognisable."""
    place = owner.workspace_id
    record = store_record(owner, content=f"{SECRET} is secret", tags=[SECRET], session_id=f"s-{SECRET}").record
    update_record(owner, record_id=str(record.id), content=f"{SECRET} is very secret")
    key, _ = create_key(administrator(), workspace_id=place, label=SECRET)
    user = staff(place)
    with workspaces_visible(place):
        event = MachineEvent.objects.filter(record_id=record.id).first()
        assert event is not None
        delivery = Delivery.objects.create(
            workspace_id=place, event=event, consumer="nobody", state="failed", error=SECRET
        )
        return {
            Workspace: place,
            User: user.pk,
            Agent: Agent.objects.get().pk,
            ApiKey: key.pk,
            MemoryRecord: record.pk,
            Session: Session.objects.get().pk,
            MachineEvent: event.pk,
            Delivery: delivery.pk,
        }


def pages(model: type, key: object) -> list[str]:
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    return [reverse(f"{name}_changelist"), reverse(f"{name}_change", args=[key])]


def test_every_registered_model_is_in_these_tests(furnished: dict[type, Any]) -> None:
    assert set(admin.site._registry) == set(furnished)
    assert Group not in admin.site._registry


def test_the_granted_see_every_page(owner: Principal, furnished: dict[type, Any]) -> None:
    for role in Role:
        client = client_of(staff(owner.workspace_id, role=role))
        assert client.get("/admin/").status_code == 200
        for model, key in furnished.items():
            wanted = 403 if model in ADMINISTRATORS_ALONE and role is not Role.ADMIN else 200
            for page in pages(model, key):
                assert client.get(page).status_code == wanted, (role, page)


def answer_to(client: Client, page: str, term: str) -> str:
    """What a search shows, apart from the term itself and the form's token."""
    shown = client.get(page, {"q": term}).content.decode().replace(term, "TERM")
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", shown)


def test_a_stranger_sees_no_trace(furnished: dict[type, Any], stranger: Principal) -> None:
    traces = {SECRET, *(str(key) for model, key in furnished.items() if model is not Delivery)}
    for role in Role:
        client = client_of(staff(stranger.workspace_id, role=role))
        for model, key in furnished.items():
            listed, single = pages(model, key)
            shown = client.get(listed).content.decode()
            assert not [trace for trace in traces if trace in shown], (role, listed)
            for term in (SECRET,) if model is Delivery else (SECRET, str(key)):
                unknown = str(uuid.uuid4()) if isinstance(key, uuid.UUID) and term == str(key) else "no-such-thing"
                assert answer_to(client, listed, term) == answer_to(client, listed, unknown), (role, listed)
            answer = client.get(single)
            assert answer.status_code in (302, 403, 404), (role, single)
            client.get("/admin/")  # takes the message that repeats the id asked for
        choices = client.get(
            "/admin/autocomplete/",
            {"app_label": "metronix", "model_name": "apikey", "field_name": "workspace", "term": ""},
        )
        assert choices.status_code == 200
        assert [entry["id"] for entry in choices.json()["results"]] == [stranger.workspace_id]


def test_nobody_gets_in_without_a_login(furnished: dict[type, Any]) -> None:
    everyone = Client()
    for model, key in furnished.items():
        for page in pages(model, key):
            answer = everyone.get(page)
            assert answer.status_code == 302 and answer["Location"].startswith("/admin/login/"), page


def writes(owner: Principal, furnished: dict[type, Any]) -> list[tuple[str, Any]]:
    record, key, user = furnished[MemoryRecord], furnished[ApiKey], furnished[User]
    form = {"content": "taken over", "tags": "", "importance_score": "1", "revision": "2"}
    records = reverse("admin:memory_memoryrecord_changelist")
    return [
        (reverse("admin:memory_memoryrecord_edit", args=[record]), form),
        (reverse("admin:memory_memoryrecord_status", args=[record]), {"status": "archived"}),
        (reverse("admin:memory_memoryrecord_undo", args=[record]), {}),
        (reverse("admin:memory_memoryrecord_delete", args=[record]), {"post": "yes"}),
        (records, {"action": "archive_selected", "_selected_action": [str(record)]}),
        (records, {"action": "delete_selected_records", "_selected_action": [str(record)], "confirmed": "yes"}),
        (records, {"action": "delete_selected", "_selected_action": [str(record)], "post": "yes"}),
        (
            reverse("admin:memory_delivery_changelist"),
            {"action": "try_again", "_selected_action": [str(furnished[Delivery])]},
        ),
        (
            reverse("admin:metronix_apikey_add"),
            {"workspace": owner.workspace_id, "role": "admin", "principal_type": "human"},
        ),
        (reverse("admin:metronix_apikey_revoke", args=[key]), {}),
        (reverse("admin:metronix_apikey_changelist"), {"action": "revoke_selected", "_selected_action": [str(key)]}),
        (
            reverse("admin:metronix_user_change", args=[user]),
            {"email": "x@example.org", "role": "admin", "workspaces": []},
        ),
        (reverse("admin:metronix_user_password", args=[user]), {"password": "x" * 12, "again": "x" * 12}),
        (reverse("admin:metronix_user_add"), {"email": "y@example.org", "role": "admin"}),
        (reverse("admin:metronix_workspace_change", args=[owner.workspace_id]), {"name": "mine now", "config": "{}"}),
        (reverse("admin:metronix_workspace_delete_all", args=[owner.workspace_id]), {}),
    ]


def state(owner: Principal, furnished: dict[type, Any]) -> list[object]:
    """Everything the writes would change."""
    with workspaces_visible(owner.workspace_id):
        return [
            list(MemoryRecord.objects.values_list("content", "tags", "status", "revision")),
            list(ApiKey.objects.values_list("id", "revoked_at")),
            list(Workspace.objects.values_list("name", "is_active")),
            list(Delivery.objects.values_list("state", "attempts")),
            list(User.objects.filter(id=furnished[User]).values_list("email", "role", "password")),
            MachineEvent.objects.count(),
        ]


@pytest.mark.parametrize("who", ["viewer", "stranger"])
def test_refused_writes_change_nothing(
    owner: Principal, stranger: Principal, furnished: dict[type, Any], who: str
) -> None:
    user = (
        staff(owner.workspace_id, role=Role.VIEWER)
        if who == "viewer"
        else staff(stranger.workspace_id, role=Role.ADMIN)
    )
    client = client_of(user)
    before = state(owner, furnished)
    for page, data in writes(owner, furnished):
        answer = client.post(page, data)
        # A list ignores an action that is not offered; a form shows what is wrong with it.
        assert answer.status_code in (200, 302, 403, 404), (who, page)
        assert state(owner, furnished) == before, (who, page)
    assert not User.objects.filter(email__in=["x@example.org", "y@example.org"]).exists()


def test_an_editor_administers_nothing(owner: Principal, furnished: dict[type, Any]) -> None:
    client = client_of(staff(owner.workspace_id, role=Role.EDITOR))
    before = state(owner, furnished)
    for page, data in writes(owner, furnished)[8:]:
        assert client.post(page, data).status_code == 403, page
    assert state(owner, furnished) == before


def test_a_withdrawn_grant_ends_access_with_the_next_page(owner: Principal, furnished: dict[type, Any]) -> None:
    user = staff(owner.workspace_id)
    client = client_of(user)
    page = reverse("admin:memory_memoryrecord_change", args=[furnished[MemoryRecord]])
    assert client.get(page).status_code == 200
    with workspaces_visible(owner.workspace_id):
        user.grants.all().delete()
    assert client.get(page).status_code == 404
    assert client.get("/admin/").status_code == 200


def test_an_error_rolls_the_whole_request_back(owner: Principal, monkeypatch: pytest.MonkeyPatch) -> None:
    from metronix.admin import workspaces

    def fail_after_writing(*args: object, **given: object) -> None:
        update_workspace(administrator(owner.workspace_id), workspace_id=owner.workspace_id, name="half done")
        raise RuntimeError("boom")

    monkeypatch.setattr(workspaces, "update_workspace", fail_after_writing)
    client = client_of(staff(owner.workspace_id, role=Role.ADMIN))
    client.raise_request_exception = False
    page = reverse("admin:metronix_workspace_change", args=[owner.workspace_id])
    assert client.post(page, {"name": "whole", "config": "{}", "is_active": "on"}).status_code == 500
    with workspaces_visible(owner.workspace_id):
        assert Workspace.objects.get().name == owner.workspace_id


def test_lists_ask_the_same_number_of_queries_however_long(owner: Principal, furnished: dict[type, Any]) -> None:
    client = client_of(staff(owner.workspace_id, role=Role.ADMIN))

    def count(page: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert client.get(page).status_code == 200
        return len(queries)

    lists = [pages(model, key)[0] for model, key in furnished.items()] + ["/admin/"]
    before = {page: count(page) for page in lists}
    for number in range(12):
        agent = owner.at(owner.workspace_id, f"agent-{number}")
        store_record(agent, content=f"another {number}", session_id=f"session {number}", tags=[str(number)])
        create_key(administrator(), workspace_id=owner.workspace_id)
        staff(owner.workspace_id)
    assert {page: count(page) for page in lists} == before
    assert max(before.values()) <= 22, before


def test_the_login_page_leads_to_the_overview(owner: Principal) -> None:
    user = staff(owner.workspace_id)
    client = Client()
    assert b"Metronix" in client.get("/admin/login/").content
    answer = client.post("/admin/login/", {"username": user.email, "password": PASSWORD})
    assert answer.status_code == 302 and answer["Location"] == "/admin/"


@pytest.mark.parametrize(
    "query", ["password__startswith=pbkdf2", "grants__user__password__contains=x", "key_hash__startswith=0"]
)
def test_no_address_asks_about_a_secret(workspace: str, query: str) -> None:
    """A filter by prefix would spell a hash out, one character at a time."""
    from django.contrib.admin.sites import site
    from django.test import RequestFactory

    from metronix.adminsite.base import BaseAdmin

    lookup = query.split("=")[0]
    request = RequestFactory().get("/")
    ours = [admin for admin in site._registry.values() if isinstance(admin, BaseAdmin)]
    assert ours
    assert not any(admin.lookup_allowed(lookup, "x", request) for admin in ours)


def test_a_nul_in_the_address_is_a_bad_request(workspace: str) -> None:
    client = client_of(staff(workspace, role=Role.ADMIN))
    for path in (
        "memory/memoryrecord/?status__exact=%00",
        "metronix/workspace/%00/change/",
        "memory/session/?agent_id=%00",
    ):
        assert client.get(f"/admin/{path}").status_code == 400
