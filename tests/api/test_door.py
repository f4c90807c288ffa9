"""What holds on every route: credentials, workspaces, bodies, paths, error shapes."""

from __future__ import annotations

import json

import pytest
from django.test import override_settings

from metronix.tenancy.models import User
from metronix.tenancy.principal import PrincipalType, Role
from tests.support.people import new_workspace
from tests.support.rest import Rest, hosted, with_key


@pytest.fixture
def rest(workspace: str) -> Rest:
    """The local caller of open mode."""
    return Rest({}, workspace)


def test_hosted_mode_asks_for_a_credential(workspace: str) -> None:
    with hosted():
        for headers in ({}, {"Authorization": "Bearer nonsense"}, {"X-API-Key": "mtk_" + "0" * 64}):
            Rest(headers, workspace).get("/memory/records").refused(401, "AUTH_REQUIRED")
        with_key(workspace).get("/memory/records").ok()
        key = with_key(workspace).headers["X-API-Key"]
        Rest({"Authorization": f"Bearer {key}"}, workspace).get("/memory/records").ok()
        Rest({"Authorization": f"Bearer {key}", "X-API-Key": key}, workspace).get("/memory/records").ok()
        other = with_key(workspace).headers["X-API-Key"]
        Rest({"Authorization": f"Bearer {key}", "X-API-Key": other}, workspace).get("/memory/records").refused(401)


def test_guarded_mode_takes_its_key(workspace: str) -> None:
    with override_settings(AUTH_ENABLED=False, METRONIX_MCP_API_KEY="guard"):
        Rest({}, workspace).get("/memory/records").refused(401)
        Rest({"Authorization": "Bearer wrong"}, workspace).get("/memory/records").refused(401)
        assert Rest({"Authorization": "Bearer guard"}, workspace).get("/auth/me").ok()["user_id"] == "local"
        Rest({}).get("/health").ok()


def test_the_workspace_parameter(workspace: str) -> None:
    stranger = with_key(new_workspace())
    with hosted():
        for bad in ("a b", "a/b", "x" * 65, "a\0", "*", "ä"):
            stranger.get("/memory/records", params={"workspace_id": bad}).refused(400, "INVALID_PARAMS")
        refused = stranger.get("/memory/records", params={"workspace_id": workspace}).refused(403, "FORBIDDEN")
        assert refused["workspace_id"] == workspace
        for own in ("", "default", stranger.workspace):
            stranger.get("/memory/records", params={"workspace_id": own}).ok()
    Rest({}, "no_such_place").get("/memory/records").refused(404, "WORKSPACE_NOT_FOUND")
    Rest({}).get("/memory/records", params={"workspace_id": [workspace, "b"]}).refused(400)


def test_roles_and_bound_keys(workspace: str) -> None:
    viewer, bound = with_key(workspace, role=Role.VIEWER), with_key(workspace, agent="own")
    body = {"content": "x", "agent_id": "own"}
    with hosted():
        viewer.post("/memory/records", body).refused(403, "FORBIDDEN")
        viewer.post("/memory/records", raw=b"not json").refused(403)
        bound.post("/memory/records", {"content": "x", "agent_id": "other"}).refused(403)
        record = bound.post("/memory/records", {"content": "x"}).ok(201)
        assert record["agent_id"] == "own"
        hers = with_key(workspace).post("/memory/records", {"content": "hers", "agent_id": "other"}).ok(201)
        bound.get(f"/memory/records/{hers['id']}").refused(404)
        assert bound.get("/memory/records").ok()["total"] == 1
        bound.get("/memory/records", params={"agent_id": "other"}).refused(403)
        batch = bound.post("/memory/records/batch", {"records": [{"content": "y", "agent_id": "other"}]}).ok(207)
        assert batch["results"][0]["error"]["code"] == "FORBIDDEN"
        viewer.get("/users").refused(403)
        with_key(workspace, role=Role.ADMIN, agent="own").get("/users").refused(403)


def test_the_header_names_the_agent(rest: Rest) -> None:
    own = rest.acting("own")
    record = own.post("/memory/records", {"content": "by header"}).ok(201)
    assert record["agent_id"] == "own"
    rest.acting("other").get(f"/memory/records/{record['id']}").refused(404)
    rest.get(f"/memory/records/{record['id']}", params={"agent_id": "other"}).refused(404)
    rest.acting("not ok").post("/memory/records", {"content": "x"}).refused(422)  # an invalid header is none
    body = {"content": "x", "agent_id": "a"}
    assert rest.post("/memory/records", body, params={"agent_id": "b"}).refused(422)["field"] == "agent_id"


def test_an_admin_session_is_a_person_with_a_csrf_token(workspace: str) -> None:
    staff = {"all_workspaces": True, "is_staff": True}
    user = User.objects.create_user(f"{workspace}@example.org", None, role=Role.ADMIN, **staff)
    rest = Rest({}, workspace)
    rest.client.force_login(user)
    body = {"content": "typed by a person", "agent_id": "a"}
    with hosted():
        me = rest.get("/auth/me").ok()
        assert (me["principal_type"], me["user_id"], me["email"]) == ("human", str(user.id), user.email)
        rest.post("/memory/records", body).refused(403, "FORBIDDEN")
        rest.client.cookies["csrftoken"] = "t" * 32
        rest.post("/memory/records", body, X_CSRFToken="u" * 32).refused(403)
        rest.post("/memory/records", body, X_CSRFToken="t" * 32).ok(201)
        # A credential sent on purpose counts, and needs no CSRF token.
        keyed = Rest(with_key(workspace).headers, workspace, rest.client)
        assert keyed.get("/auth/me").ok()["principal_type"] == "model"
        keyed.post("/memory/records", body).ok(200)
        Rest({"X-API-Key": "mtk_" + "0" * 64}, workspace, rest.client).get("/auth/me").refused(401)
        User.objects.filter(id=user.id).update(is_active=False)
        rest.get("/auth/me").refused(401)
    # In open mode too, a session is its person; one of somebody without admin login counts for nothing.
    rest.client.force_login(User.objects.create_user(f"b{workspace}@example.org", None, **staff))
    assert rest.get("/auth/me").ok()["role"] == "viewer"
    User.objects.filter(email=f"b{workspace}@example.org").update(is_staff=False)
    assert rest.get("/auth/me").ok()["user_id"] == "local"


def test_keys_issued_as_human_count_on_rest(workspace: str) -> None:
    human = with_key(workspace, principal_type=PrincipalType.HUMAN)
    assert human.get("/auth/me").ok()["principal_type"] == "human"
    assert with_key(workspace).get("/auth/me").ok()["principal_type"] == "model"


def test_pages_of_other_sites_change_nothing_in_open_mode(rest: Rest) -> None:
    body = {"content": "x", "agent_id": "a"}
    for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        evil = Rest(headers, rest.workspace)
        evil.post("/memory/records", body).refused(403, "FORBIDDEN")
        evil.post("/memory/sessions/x/end").refused(403)
        evil.post("/auth/login", {"email": "a@b.c", "password": "x"}).refused(403)
        evil.delete("/memory/records/x").refused(403)
    assert rest.get("/memory/records").ok()["total"] == 0
    Rest({"Origin": "http://testserver"}, rest.workspace).post("/memory/records", body).ok(201)
    with override_settings(CSRF_TRUSTED_ORIGINS=["https://console.example"]):
        Rest({"Origin": "https://console.example"}, rest.workspace).post("/memory/records", body).ok(200)


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_body_of_another_type_is_not_read(rest: Rest, content_type: str) -> None:
    raw = json.dumps({"content": "x", "agent_id": "a"}).encode()
    reply = rest.post("/memory/records", raw=raw, content_type=content_type)
    reply.refused(415, "UNSUPPORTED_MEDIA_TYPE")


@pytest.mark.parametrize(
    "raw",
    [
        b"{",
        b"not json",
        b'{"content": NaN}',
        b'{"content": "\xff"}',
        b"[" * 100_000,
        b"[" * 200 + b"]" * 200,
        b'{"metadata": ' + b'{"a":' * 150 + b"1" + b"}" * 151,
        b'{"importance_score": ' + b"9" * 5_000 + b"}",
    ],
)
def test_what_is_not_json_is_a_bad_request(rest: Rest, raw: bytes) -> None:
    rest.post("/memory/records", raw=raw).refused(400, "INVALID_PARAMS")


def test_a_body_over_the_limit(rest: Rest) -> None:
    with override_settings(DATA_UPLOAD_MAX_MEMORY_SIZE=2_000, METRONIX_MAX_BODY_BYTES=2_000):
        raw = json.dumps({"content": "x" * 3_000, "agent_id": "a"}).encode()
        rest.post("/memory/records", raw=raw).refused(413, "PAYLOAD_TOO_LARGE")


def test_an_empty_body_is_an_empty_object(rest: Rest) -> None:
    assert rest.post("/memory/search").refused(422)["field"] == "query"


@pytest.mark.parametrize("path", ["/memory/records", "/memory/facets", "/workspaces", "/users", "/auth/me", "/health"])
def test_both_spellings_answer(rest: Rest, path: str) -> None:
    for spelled in (path, f"{path}/"):
        rest.get(spelled).ok()
    rest.get(f"{path}//").refused(404)


def test_unknown_addresses_and_methods(rest: Rest) -> None:
    for path in ("/nothing", "/memory", "/memory/records/a/b", "/memory/explain", "/review", "/api/nothing", "/api"):
        assert rest.get(path).refused(404, "DOCUMENT_NOT_FOUND")
        rest.post(path, {}).refused(404)
    reply = rest.post("/memory/facets", {})
    reply.refused(405, "METHOD_NOT_ALLOWED")
    assert reply.http["Allow"] == "GET, HEAD, OPTIONS"
    options = rest("OPTIONS", "/memory/records")
    assert options.status == 204 and options.http["Allow"] == "GET, POST, HEAD, OPTIONS"
    head = rest("HEAD", "/memory/records")
    assert head.status == 200 and head.http.content == b"" and head.http["X-Request-Id"]


def test_djangos_own_refusals_are_json(rest: Rest) -> None:
    rest.get("/memory/records", Host="evil.example").refused(400)
    assert rest.get("/memory/records", Accept="text/html").ok()["total"] == 0


def test_each_reply_has_its_own_id(rest: Rest) -> None:
    ids = {rest.get(path).http["X-Request-Id"] for path in ("/health", "/health", "/memory/records", "/nothing")}
    assert len(ids) == 4


def test_the_documents_answer_without_a_network(rest: Rest) -> None:
    for path in ("/api/schema", "/api/schema/"):
        document = rest.get(path).ok()
        assert document["openapi"].startswith("3.")
    page = rest.get("/api/docs/").http
    assert page.status_code == 200
    text = page.content.decode()
    assert "https://" not in text and "drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js" in text
