"""The one authenticator: modes, credentials, their order, and what each makes of its bearer."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from pytest_django import Settings

from metronix.errors import AuthRequired
from metronix.tenancy import tokens
from metronix.tenancy.authenticate import authenticate
from metronix.tenancy.credentials import issue_key
from metronix.tenancy.models import User
from metronix.tenancy.principal import Door, Principal, PrincipalType, Role

GUARD = "the-guard"
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def hosted(settings: Settings) -> Settings:
    settings.AUTH_ENABLED, settings.METRONIX_MCP_API_KEY = True, ""
    settings.JWT_SECRET = "a secret of more than thirty-two bytes, as HS256 wants"
    settings.JWT_PUBLIC_KEY = settings.JWT_JWKS_FILE = settings.JWT_ISSUER = settings.JWT_AUDIENCE = ""
    return settings


def who(door: Door = Door.MCP, **headers: str) -> Principal:
    return authenticate({name.replace("_", "-"): value for name, value in headers.items()}, door=door)


def refused(**headers: str) -> str:
    with pytest.raises(AuthRequired) as caught:
        who(**headers)
    return caught.value.message


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def foreign(subject: str = "ada", role: Role = Role.EDITOR, workspaces: tuple[str, ...] = ("W",)) -> str:
    return tokens.issue(subject, role=role, workspaces=list(workspaces), lifetime=HOUR, local_user=False)


def user(**fields: object) -> User:
    return User.objects.create_user(f"{uuid.uuid4().hex}@example.org", None, **{"role": Role.EDITOR} | fields)


def login(person: User, role: Role = Role.ADMIN, **extra: object) -> str:
    return tokens.issue(str(person.id), role=role, workspaces=["*"], lifetime=HOUR, **extra)


# modes


def test_hosted_needs_a_credential() -> None:
    refused()
    refused(authorization="Basic YTpi")
    refused(**bearer("nonsense"))


def test_hosted_does_not_take_the_guard_key(hosted: Settings) -> None:
    hosted.METRONIX_MCP_API_KEY = GUARD
    refused(**bearer(GUARD))
    refused(x_api_key=GUARD)


@pytest.mark.parametrize("header", ["authorization", "x_api_key", "x_hyphae_key"])
def test_guard_key_by_any_header(hosted: Settings, header: str) -> None:
    hosted.AUTH_ENABLED, hosted.METRONIX_MCP_API_KEY = False, GUARD
    given = f"bearer {GUARD}" if header == "authorization" else GUARD
    assert who(**{header: given}).id == "local"
    for headers in ({}, {header: given + "x"}):
        with pytest.raises(AuthRequired) as caught:
            who(**headers)
        assert "METRONIX_MCP_API_KEY" in caught.value.hint, "it says that there is a shared key"


def test_open_mode_asks_for_nothing(hosted: Settings) -> None:
    hosted.AUTH_ENABLED = False
    local = who()
    assert (local.id, local.role, local.grants, local.type) == ("local", Role.ADMIN, {"*"}, PrincipalType.MODEL)
    assert who(**bearer("<jwt>")).id == "local", "the placeholder of the published example"
    assert who(door=Door.REST).type is PrincipalType.MODEL, "local mode has no anonymous human"


def test_a_credential_counts_in_local_mode(hosted: Settings, workspace: str) -> None:
    hosted.AUTH_ENABLED = False
    _, key = issue_key(workspace_id=workspace, agent_id="bob", role=Role.VIEWER)
    bound = who(x_api_key=key)
    assert (bound.bound_agent, bound.role, bound.grants) == ("bob", Role.VIEWER, {workspace})
    assert who(**bearer(foreign())).id == "sub:ada"


def test_a_bad_credential_of_ours_is_refused_in_open_mode(hosted: Settings) -> None:
    hosted.AUTH_ENABLED = False
    refused(x_api_key="mtk_" + "0" * 64)
    refused(x_api_key="mtk_short")
    refused(**bearer(foreign() + "x"))


# several at once


def test_two_different_credentials_are_refused(workspace: str) -> None:
    _, key = issue_key(workspace_id=workspace)
    assert "two" in refused(x_api_key=key, **bearer(foreign()))
    assert "two" in refused(x_api_key=key, x_hyphae_key="other")
    assert who(x_api_key=key, x_hyphae_key=key, **bearer(key)).grants == {workspace}


def test_a_repeated_header_is_refused(workspace: str) -> None:
    _, key = issue_key(workspace_id=workspace)
    refused(authorization=f"Bearer {key}, Bearer {key}")


# API keys


@pytest.mark.parametrize("header", ["x_api_key", "x_hyphae_key"])
def test_api_key(workspace: str, header: str) -> None:
    row, key = issue_key(workspace_id=workspace, role=Role.EDITOR)
    principal = who(**{header: key})
    assert (principal.id, principal.grants, principal.role) == (f"key:{row.id}", {workspace}, Role.EDITOR)


def test_a_human_key_is_human_on_rest_alone(workspace: str) -> None:
    _, key = issue_key(workspace_id=workspace, principal_type=PrincipalType.HUMAN)
    assert who(door=Door.REST, x_api_key=key).type is PrincipalType.HUMAN
    assert who(door=Door.MCP, x_api_key=key).type is PrincipalType.MODEL


def test_a_bound_key_is_its_agent_whatever_the_header(workspace: str) -> None:
    _, key = issue_key(workspace_id=workspace, agent_id="bob")
    assert who(x_api_key=key, x_agent_id="eve").logged_agent == "bob"


# tokens


def test_foreign_subject() -> None:
    principal = who(**bearer(foreign()))
    assert (principal.id, principal.role, principal.grants) == ("sub:ada", Role.EDITOR, {"W"})


def test_a_local_user_has_what_they_have_now() -> None:
    person = user(all_workspaces=True)
    principal = who(**bearer(login(person)))
    assert (principal.id, principal.role, principal.grants) == (f"user:{person.id}", Role.EDITOR, {"*"})
    User.objects.filter(id=person.id).update(all_workspaces=False, role=Role.VIEWER)
    later = who(**bearer(login(person)))
    assert (later.role, later.grants) == (Role.VIEWER, frozenset())


def test_a_token_may_be_narrower_than_its_user() -> None:
    person = user(all_workspaces=True, role=Role.ADMIN)
    token = tokens.issue(str(person.id), role=Role.VIEWER, workspaces=["W"], lifetime=HOUR)
    assert (who(**bearer(token)).role, who(**bearer(token)).grants) == (Role.VIEWER, {"W"})


@pytest.mark.parametrize("local_user", [True, False])
def test_disabling_a_user_ends_it_at_once(local_user: bool) -> None:
    person = user()
    token = login(person, local_user=local_user)
    who(**bearer(token))
    User.objects.filter(id=person.id).update(is_active=False)
    assert "disabled" in refused(**bearer(token))


def test_a_deleted_users_token_is_worth_nothing() -> None:
    assert "no longer" in refused(
        **bearer(tokens.issue(str(uuid.uuid4()), role=Role.ADMIN, workspaces=["*"], lifetime=HOUR))
    )


def test_human_only_by_login_and_on_rest() -> None:
    person = user()
    typed = login(person, methods=(tokens.LOGIN_METHOD,))
    assert who(door=Door.REST, **bearer(typed)).type is PrincipalType.HUMAN
    assert who(door=Door.MCP, **bearer(typed)).type is PrincipalType.MODEL
    assert who(door=Door.REST, **bearer(login(person))).type is PrincipalType.MODEL
    stranger = tokens.issue("ada", role=Role.ADMIN, workspaces=["*"], lifetime=HOUR, local_user=False, methods=("pwd",))
    assert who(door=Door.REST, **bearer(stranger)).type is PrincipalType.MODEL


# the agent header


@pytest.mark.parametrize(
    ("sent", "kept"),
    [("hermes", "hermes"), ("a.B_c-9", "a.B_c-9"), ("x" * 64, "x" * 64), ("x" * 65, None), ("a b", None), ("", None)],
)
def test_agent_header(hosted: Settings, sent: str, kept: str | None) -> None:
    hosted.AUTH_ENABLED = False
    assert who(x_agent_id=sent).logged_agent == kept
