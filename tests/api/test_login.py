"""Logging in: tokens, limits, and what the admin's form shares with the endpoint."""

from __future__ import annotations

import io
import time
from datetime import timedelta
from statistics import median

import pytest
from django.contrib.auth import authenticate
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.test import override_settings

from metronix.tenancy import throttle
from metronix.tenancy.login import user_token
from metronix.tenancy.models import User
from metronix.tenancy.principal import Role
from tests.support.rest import Rest, hosted

PASSWORD = "correct horse battery"


@pytest.fixture
def user(workspace: str) -> User:
    """A person of every workspace."""
    return User.objects.create_user(
        f"{workspace}@example.org", PASSWORD, role=Role.EDITOR, all_workspaces=True, display_name="Ada"
    )


@pytest.fixture
def rest(workspace: str, request: pytest.FixtureRequest) -> Rest:
    """A caller from an address of its own, so that tests do not use up each other's attempts."""
    rest = Rest({}, workspace)
    rest.client.defaults["REMOTE_ADDR"] = f"address of {workspace}"
    return rest


def log_in(rest: Rest, email: str, password: str) -> object:
    return rest.post("/auth/login", {"email": email, "password": password})


def test_a_token_counts_as_a_person(rest: Rest, user: User, workspace: str) -> None:
    with hosted():
        reply = log_in(rest, user.email.upper(), PASSWORD).ok()
        assert reply | {"token": ""} == {
            "token": "",
            "user_id": str(user.id),
            "email": user.email,
            "display_name": "Ada",
            "role": "editor",
        }
        caller = Rest({"Authorization": f"Bearer {reply['token']}"}, workspace)
        me = caller.get("/auth/me").ok()
        assert (me["principal_type"], me["role"], me["workspace_ids"]) == ("human", "editor", ["*"])
        caller.post("/memory/records", {"content": "x", "agent_id": "a"}).ok(201)
        User.objects.filter(id=user.id).update(role="viewer")
        caller.post("/memory/records", {"content": "y", "agent_id": "a"}).refused(403)
        User.objects.filter(id=user.id).update(is_active=False)
        caller.get("/auth/me").refused(401)
        made = Rest({"Authorization": f"Bearer {user_token(user, timedelta(hours=1))}"}, workspace)
        made.get("/auth/me").refused(401)
        User.objects.filter(id=user.id).update(is_active=True)
        assert made.get("/auth/me").ok()["principal_type"] == "model"


@override_settings(JWT_SECRET="s" * 40)
def test_login_works_in_open_mode_and_with_a_stale_token(rest: Rest, user: User) -> None:
    assert log_in(rest, user.email, PASSWORD).ok()["token"]
    stale = Rest({"Authorization": "Bearer a.b.c"}, rest.workspace, rest.client)
    assert log_in(stale, user.email, PASSWORD).ok()["token"]


def test_wrong_and_unknown_are_the_same(rest: Rest, user: User) -> None:
    wrong = log_in(rest, user.email, "not it").refused(401, "AUTH_REQUIRED")
    unknown = log_in(rest, "nobody@example.org", "not it").refused(401)
    assert {**wrong, "request_id": ""} == {**unknown, "request_id": ""}
    User.objects.filter(id=user.id).update(is_active=False)
    assert {**log_in(rest, user.email, "not it").refused(401), "request_id": ""} == {**wrong, "request_id": ""}
    log_in(rest, user.email, PASSWORD).refused(403, "FORBIDDEN")


@override_settings(METRONIX_LOGIN_ACCOUNT_ATTEMPTS=100)
def test_unknown_accounts_take_as_long(rest: Rest, user: User) -> None:
    def seconds(email: str) -> float:
        start = time.perf_counter()
        log_in(rest, email, "not it").refused(401)
        return time.perf_counter() - start

    pairs = [(seconds(user.email), seconds("nobody@example.org")) for _ in range(5)]
    known, unknown = median(pair[0] for pair in pairs), median(pair[1] for pair in pairs)
    assert 0.5 < known / unknown < 2


@override_settings(METRONIX_LOGIN_ACCOUNT_ATTEMPTS=3)
def test_an_account_is_throttled(rest: Rest, user: User) -> None:
    for _ in range(3):
        log_in(rest, user.email, "not it").refused(401)
    reply = log_in(rest, f" {user.email.upper()}", PASSWORD)
    reply.refused(429, "RATE_LIMITED")
    assert 1 <= int(reply.http["Retry-After"]) <= 301
    # The admin's form asks the same check.
    with pytest.raises(ValidationError, match="Too many attempts"):
        authenticate(None, username=user.email, password=PASSWORD)
    throttle.forgive("account", user.email)
    assert log_in(rest, user.email, "not it").refused(401)


@override_settings(METRONIX_LOGIN_ADDRESS_ATTEMPTS=3, JWT_SECRET="s" * 40)
def test_an_address_is_throttled(rest: Rest, user: User) -> None:
    for number in range(3):
        log_in(rest, f"guess{number}@example.org", "not it").refused(401)
    log_in(rest, user.email, PASSWORD).refused(429)
    elsewhere = Rest({}, rest.workspace)
    elsewhere.client.defaults["REMOTE_ADDR"] = f"other address of {rest.workspace}"
    log_in(elsewhere, user.email, PASSWORD).ok()


@override_settings(METRONIX_LOGIN_ACCOUNT_ATTEMPTS=3, JWT_SECRET="s" * 40)
def test_a_success_forgets_the_failures(rest: Rest, user: User) -> None:
    for _ in range(3):
        log_in(rest, user.email, "not it").refused(401)
        log_in(rest, user.email, "not it").refused(401)
        log_in(rest, user.email, PASSWORD).ok()


@override_settings(METRONIX_LOGIN_ACCOUNT_ATTEMPTS=3, JWT_SECRET="s" * 40)
def test_without_redis_this_process_counts(rest: Rest, user: User) -> None:
    throttle._client.cache_clear()
    try:
        with override_settings(REDIS_URL="redis://127.0.0.1:1/0"):
            log_in(rest, user.email, PASSWORD).ok()
            for _ in range(3):
                log_in(rest, user.email, "not it").refused(401)
            log_in(rest, user.email, PASSWORD).refused(429)
    finally:
        throttle._client.cache_clear()
        throttle._local.forget(throttle.key_of("account", user.email))


@pytest.mark.parametrize("body", [{}, {"email": "a@b.c"}, {"email": "a\0@b.c", "password": "x"}, {"email": 1}])
def test_odd_bodies(rest: Rest, body: object) -> None:
    assert rest.post("/auth/login", body).status in (401, 422)


@override_settings(JWT_SECRET="")
def test_without_a_secret_no_token_can_be_issued(rest: Rest, user: User) -> None:
    log_in(rest, user.email, PASSWORD).refused(503)


@override_settings(JWT_SECRET="s" * 40)
def test_the_commands(rest: Rest, workspace: str) -> None:
    email, out = f"new_{workspace}@example.org", io.StringIO()
    call_command("create_user", email, role="editor", workspaces=workspace, stdout=out, stderr=io.StringIO())
    password = out.getvalue().strip()
    assert log_in(rest, email, password).ok()["role"] == "editor"
    with pytest.raises(CommandError, match="exists"):
        call_command("create_user", email, stdout=out, stderr=io.StringIO())
    call_command("create_user", email, "--reset", stdout=(again := io.StringIO()), stderr=io.StringIO())
    log_in(rest, email, password).refused(401)
    log_in(rest, email, again.getvalue().strip()).ok()
    call_command("create_token", email, hours=1, stdout=(out := io.StringIO()))
    with hosted():
        caller = Rest({"Authorization": f"Bearer {out.getvalue().strip()}"}, workspace)
        me = caller.get("/auth/me").ok()
    assert (me["email"], me["principal_type"], me["workspace_ids"]) == (email, "model", [workspace])
    with pytest.raises(CommandError):
        call_command("create_token", "nobody@example.org")
