"""Routes of people, their keys, and workspaces."""

from __future__ import annotations

import uuid

import pytest

from metronix.tenancy.models import ApiKey
from metronix.tenancy.principal import PrincipalType, Role
from tests.support.people import new_workspace
from tests.support.rest import Rest, hosted, with_key

PASSWORD = "correct horse battery"


@pytest.fixture
def rest() -> Rest:
    """The local caller of open mode, an administrator of everything."""
    return Rest()


def address() -> str:
    return f"{uuid.uuid4().hex[:12]}@example.org"


def test_a_workspace_from_its_making_to_its_end(rest: Rest) -> None:
    name = f"new_{uuid.uuid4().hex[:8]}"
    made = rest.post("/workspaces/", {"workspace_id": name, "name": "New", "description": "d"}).ok(201)
    assert set(made) == {"workspace_id", "name", "description", "created_at", "is_active", "config"}
    assert (made["workspace_id"], made["name"], made["is_active"], made["config"]) == (name, "New", True, {})
    rest.post("/workspaces", {"workspace_id": name}).refused(409, "CONFLICT")
    rest.post("/workspaces", {"workspace_id": "a b"}).refused(422)
    inside = Rest({}, name)
    inside.post("/memory/records", {"content": "x", "agent_id": "a"}).ok(201)
    assert rest.get(f"/workspaces/{name}/stats/").ok()["records_by_status"] == {"active": 1}
    assert inside.get("/stats").ok()["records"] == 1
    changed = rest.patch(f"/workspaces/{name}/", {"name": "Renamed", "config": {"k": 1}}).ok()
    assert (changed["name"], changed["description"], changed["config"]) == ("Renamed", "d", {"k": 1})
    rest.patch(f"/workspaces/{name}", {"is_active": False}).ok()
    inside.get("/memory/records").refused(404, "WORKSPACE_NOT_FOUND")
    assert rest.get(f"/workspaces/{name}").ok()["is_active"] is False
    assert rest.delete(f"/workspaces/{name}/").status == 204
    rest.get(f"/workspaces/{name}").refused(404, "WORKSPACE_NOT_FOUND")


def test_workspaces_are_paged(rest: Rest) -> None:
    made = {new_workspace("paged") for _ in range(5)}
    seen: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = rest.get("/workspaces", params={"limit": 2} | cursor).ok()
        assert page["count"] == len(page["workspaces"]) <= 2
        seen += [row["workspace_id"] for row in page["workspaces"]]
        if not page["has_more"]:
            break
        cursor = {"cursor": page["cursor"]}
    assert made <= set(seen) and len(seen) == len(set(seen)) == page["total"]
    assert rest.get("/workspaces", params={"limit": 1, "offset": 1}).ok()["workspaces"][0]["workspace_id"] == seen[1]


def test_a_workspace_of_others(workspace: str) -> None:
    mine, admin = new_workspace(), with_key(workspace, role=Role.ADMIN)
    with hosted():
        for method, body in (("GET", None), ("PATCH", {"name": "x"}), ("DELETE", None)):
            admin(method, f"/workspaces/{mine}", body).refused(403, "FORBIDDEN")
            admin(method, "/workspaces/a b", body).refused(400)
        admin.get(f"/workspaces/{mine}/stats").refused(403)
        admin.post("/workspaces", {"workspace_id": "fresh"}).refused(403)
        assert [row["workspace_id"] for row in admin.get("/workspaces").ok()["workspaces"]] == [workspace]
        assert admin.get("/workspaces/default").ok()["workspace_id"] == workspace


def test_a_person_and_their_grants(rest: Rest, workspace: str) -> None:
    email = address()
    body = {"email": email, "password": PASSWORD, "role": "editor", "workspace_ids": [workspace]}
    made = rest.post("/users", body).ok(201)
    assert made["email"] == email and made["workspace_ids"] == [workspace] and "password" not in str(made)
    path = f"/users/{made['id']}"
    assert rest.get(path).ok() == made
    rest.post("/users", body).refused(409)
    assert email in {user["email"] for user in rest.get("/users", params={"limit": 200}).ok()["users"]}
    with hosted():
        token = rest.post("/auth/login", {"email": email, "password": PASSWORD}).ok()["token"]
        caller = Rest({"Authorization": f"Bearer {token}"})
        assert caller.get("/auth/me").ok()["workspace_ids"] == [workspace]
        assert caller.get("/memory/records").ok()["total"] == 0  # the only granted one is the default
        caller.get("/users").refused(403)
    assert rest.patch(path, {"workspace_ids": ["*"]}).ok()["workspace_ids"] == ["*"]
    assert rest.post(f"{path}/password", {"password": "another password"}).status == 204
    with hosted():
        rest.post("/auth/login", {"email": email, "password": PASSWORD}).refused(401)
        rest.post("/auth/login", {"email": email, "password": "another password"}).ok()
        rest2 = Rest({"Authorization": f"Bearer {token}"})
        rest2.get("/auth/me").ok()
    assert rest.patch(path, {"is_active": False, "role": "admin"}).ok()["role"] == "admin"
    with hosted():
        rest2.get("/auth/me").refused(401)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "email"),
        ({"email": "nobody"}, "email"),
        ({"email": "a@b.example", "password": "short"}, "password"),
        ({"email": "a@b.example", "role": "owner"}, "role"),
        ({"email": "a@b.example", "workspace_ids": "x"}, "workspace_ids"),
        ({"email": "a@b.example", "workspace_ids": ["no_such_place"]}, "workspace"),
        ({"email": "a@b.example", "is_superuser": True}, "is_superuser"),
    ],
)
def test_bad_people(rest: Rest, body: dict[str, object], field: str) -> None:
    assert rest.post("/users", body).refused(422)["field"].startswith(field)


def test_keys(rest: Rest, workspace: str) -> None:
    user = rest.post("/users", {"email": address(), "workspace_ids": [workspace]}).ok(201)
    path = f"/users/{user['id']}/api-keys"
    body = {"workspace_id": workspace, "label": "ci", "role": "viewer", "agent_id": "bot"}
    made = rest.post(path, body).ok(201)
    assert made["key"].startswith("mtk_") and made["key"].startswith(made["prefix"])
    assert (made["role"], made["agent_id"], made["principal_type"]) == ("viewer", "bot", "model")
    listed = rest.get(path).ok()
    assert listed["total"] == 1 and "key" not in listed["keys"][0] and made["key"] not in str(listed)
    with hosted():
        caller = Rest({"X-API-Key": made["key"]})
        assert caller.get("/auth/me").ok() == {
            "status": "ok",
            "user_id": f"key:{made['id']}",
            "email": None,
            "role": "viewer",
            "workspace_ids": [workspace],
            "principal_type": "model",
            "agent_id": "bot",
        }
        for _ in range(2):
            assert rest_admin(workspace).delete(f"{path}/{made['id']}").status == 204
        caller.get("/auth/me").refused(401)
    rest.delete(f"{path}/{uuid.uuid4()}").refused(404)
    other = rest.post("/users", {"email": address()}).ok(201)
    rest.delete(f"/users/{other['id']}/api-keys/{made['id']}").refused(404)
    rest.get(f"/users/{uuid.uuid4()}/api-keys").refused(404)
    rest.post(path, {"workspace_id": workspace, "principal_type": "human"}).refused(403)
    rest.post(path, {"workspace_id": workspace, "expires_at": "2020-01-01T00:00:00Z"}).refused(422)
    assert ApiKey.objects.count() == 0  # nothing is visible outside a transaction of the workspace


def rest_admin(workspace: str) -> Rest:
    return with_key(workspace, role=Role.ADMIN)


def test_a_person_may_issue_keys_that_count_as_a_person(workspace: str) -> None:
    user = Rest().post("/users", {"email": address(), "workspace_ids": [workspace]}).ok(201)
    human = with_key(workspace, role=Role.ADMIN, principal_type=PrincipalType.HUMAN)
    made = human.post(f"/users/{user['id']}/api-keys", {"principal_type": "human"}).ok(201)
    assert made["workspace_id"] == workspace and made["principal_type"] == "human"


def test_keys_are_paged_newest_first(rest: Rest, workspace: str) -> None:
    user = rest.post("/users", {"email": address(), "workspace_ids": [workspace]}).ok(201)
    path = f"/users/{user['id']}/api-keys"
    made = [rest.post(path, {"workspace_id": workspace}).ok(201)["id"] for _ in range(5)]
    first = rest.get(path, params={"limit": 3}).ok()
    rest.post(path, {"workspace_id": workspace}).ok(201)
    second = rest.get(path, params={"limit": 3, "cursor": first["cursor"]}).ok()
    assert [key["id"] for key in first["keys"] + second["keys"]] == made[::-1]
    assert not second["has_more"]
