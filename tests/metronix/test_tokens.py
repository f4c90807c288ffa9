"""User tokens: what is accepted follows from the settings alone, never from the token."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from metronix.errors import AuthRequired
from metronix.tenancy import tokens
from metronix.tenancy.principal import Role

SECRET = "a secret of more than thirty-two bytes, as HS256 wants"
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER = rsa.generate_private_key(public_exponent=65537, key_size=2048)


def pem(key: rsa.RSAPrivateKey) -> str:
    kind = serialization.PublicFormat.SubjectPublicKeyInfo
    return key.public_key().public_bytes(serialization.Encoding.PEM, kind).decode()


def payload(**changes: Any) -> dict[str, Any]:
    base = {"sub": "ada", "role": "editor", "workspace_ids": ["W"], "exp": datetime.now(UTC) + timedelta(hours=1)}
    return {name: value for name, value in (base | changes).items() if value is not None}


def hs256(secret: str = SECRET, **changes: Any) -> str:
    return jwt.encode(payload(**changes), secret, algorithm="HS256")


def rs256(key: rsa.RSAPrivateKey = KEY, kid: str | None = None, **changes: Any) -> str:
    return jwt.encode(payload(**changes), key, algorithm="RS256", headers={"kid": kid} if kid else None)


def segment(value: object) -> str:
    return (
        base64.urlsafe_b64encode(json.dumps(value, default=lambda t: int(t.timestamp())).encode()).decode().strip("=")
    )


@pytest.fixture(autouse=True)
def keys(settings: Settings) -> Settings:
    settings.JWT_SECRET = SECRET
    settings.JWT_PUBLIC_KEY = settings.JWT_JWKS_FILE = settings.JWT_ISSUER = settings.JWT_AUDIENCE = ""
    return settings


def refused(token: str) -> str:
    with pytest.raises(AuthRequired) as caught:
        tokens.verify(token)
    return caught.value.message


def test_hs256() -> None:
    claims = tokens.verify(hs256())
    assert (claims.subject, claims.role, claims.workspaces, claims.own) == ("ada", Role.EDITOR, {"W"}, True)


def test_rs256(keys: Settings) -> None:
    keys.JWT_SECRET, keys.JWT_PUBLIC_KEY = "", pem(KEY)
    assert tokens.verify(rs256()).own is False
    assert "key" not in refused(rs256(OTHER))
    refused(hs256())


def test_both_kinds_of_key_may_be_set(keys: Settings) -> None:
    keys.JWT_PUBLIC_KEY = pem(KEY)
    assert tokens.verify(rs256()).own is False
    assert tokens.verify(hs256()).own is True


def test_a_public_key_is_no_hmac_secret(keys: Settings) -> None:
    keys.JWT_SECRET, keys.JWT_PUBLIC_KEY = "", pem(KEY)
    import hmac

    signed = f"{segment({'alg': 'HS256', 'typ': 'JWT'})}.{segment(payload())}"
    signature = hmac.digest(pem(KEY).encode(), signed.encode(), "sha256")
    refused(f"{signed}.{base64.urlsafe_b64encode(signature).decode().strip('=')}")


@pytest.mark.parametrize("algorithm", ["none", "None", "NONE", ""])
def test_unsigned_is_refused(algorithm: str) -> None:
    signed = f"{segment({'alg': algorithm, 'typ': 'JWT'})}.{segment(payload())}"
    for signature in ("", "AAAA"):
        refused(f"{signed}.{signature}")


@pytest.mark.parametrize("algorithm", ["HS384", "HS512"])
def test_other_algorithms_of_the_same_secret_are_refused(algorithm: str) -> None:
    refused(jwt.encode(payload(), SECRET * 2, algorithm=algorithm))


def test_expired() -> None:
    assert "expired" in refused(hs256(exp=datetime.now(UTC) - timedelta(minutes=1)))


@pytest.mark.parametrize("claim", ["exp", "sub"])
def test_required_claims(claim: str) -> None:
    refused(hs256(**{claim: None}))


def test_not_yet_valid() -> None:
    refused(hs256(nbf=datetime.now(UTC) + timedelta(hours=1)))


def test_issuer_and_audience_when_set(keys: Settings) -> None:
    keys.JWT_ISSUER, keys.JWT_AUDIENCE = "https://id.example", "metronix"
    tokens.verify(hs256(iss="https://id.example", aud="metronix"))
    tokens.verify(hs256(iss="https://id.example", aud=["other", "metronix"]))
    for claims in (
        {"iss": "https://evil.example", "aud": "metronix"},
        {"iss": "https://id.example", "aud": "other"},
        {"iss": "https://id.example"},
        {"aud": "metronix"},
    ):
        refused(hs256(**claims))


def test_audience_is_ignored_when_none_is_set() -> None:
    tokens.verify(hs256(aud="somebody"))


@pytest.mark.parametrize(
    "claims",
    [
        {"sub": ""},
        {"sub": 7},
        {"role": "root"},
        {"workspace_ids": "W"},
        {"workspace_ids": [7]},
        {"agent_id": 7},
        {"amr": "pwd"},
    ],
)
def test_malformed_claims(claims: dict[str, Any]) -> None:
    refused(hs256(**claims))


def test_missing_claims_grant_the_least() -> None:
    claims = tokens.verify(hs256(role=None, workspace_ids=None))
    assert (claims.role, claims.workspaces) == (Role.VIEWER, frozenset())


def test_star_grants_all() -> None:
    assert tokens.verify(hs256(workspace_ids="*")).workspaces == {"*"}
    assert tokens.verify(hs256(workspace_ids=["*"])).workspaces == {"*"}


def jwks(folder: Path, **keys: rsa.RSAPrivateKey) -> str:
    entries = [
        json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key())) | {"kid": kid, "use": "sig"}
        for kid, key in keys.items()
    ]
    path = folder / "jwks.json"
    path.write_text(json.dumps({"keys": entries}))
    return str(path)


def test_key_set_by_kid(keys: Settings, tmp_path: Path) -> None:
    keys.JWT_SECRET = ""
    keys.JWT_JWKS_FILE = jwks(tmp_path, one=KEY, two=OTHER)
    tokens.verify(rs256(KEY, "one"))
    tokens.verify(rs256(OTHER, "two"))
    refused(rs256(KEY, "two"))
    refused(rs256(KEY, "three"))
    refused(rs256(KEY))


def test_key_set_is_read_again_when_it_changes(keys: Settings, tmp_path: Path) -> None:
    keys.JWT_SECRET = ""
    keys.JWT_JWKS_FILE = jwks(tmp_path, one=KEY)
    tokens.verify(rs256(KEY))
    jwks(tmp_path, one=OTHER, two=KEY)
    refused(rs256(KEY, "one"))
    tokens.verify(rs256(OTHER, "one"))


def test_issued_tokens_verify(keys: Settings) -> None:
    keys.JWT_ISSUER, keys.JWT_AUDIENCE = "https://here.example", "metronix"
    token = tokens.issue("u", role=Role.ADMIN, workspaces=["*"], lifetime=timedelta(hours=1), methods=("pwd",))
    claims = tokens.verify(token)
    assert (claims.local_user, claims.methods, claims.role) == (True, {"pwd"}, Role.ADMIN)


def test_nothing_is_issued_without_a_secret(keys: Settings) -> None:
    keys.JWT_SECRET = ""
    with pytest.raises(ImproperlyConfigured):
        tokens.issue("u", role=Role.VIEWER, workspaces=[], lifetime=timedelta(hours=1))


def test_a_foreign_token_cannot_claim_to_be_ours(keys: Settings) -> None:
    keys.JWT_PUBLIC_KEY = pem(KEY)
    claims = tokens.verify(rs256(metronix_user=True, amr=["pwd"]))
    assert (claims.own, claims.local_user) == (False, False)
