"""User tokens (JWT): issuing and verifying.

The algorithm follows from what is configured and never from the token: a key of one kind is only ever tried with its
own algorithm, so a public key cannot be passed off as an HMAC secret.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

import jwt
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from metronix.errors import AuthRequired
from metronix.tenancy.models import WORKSPACE_ID_PATTERN
from metronix.tenancy.principal import EVERY_WORKSPACE, Role

LOCAL_CLAIM = "metronix_user"
"""Set on tokens of local users: such a token is worth nothing once its user is gone."""
LOGIN_METHOD = "pwd"
"""The `amr` value (RFC 8176) that the login endpoint alone sets: a person typed a password."""
LONGEST_SUBJECT = 128
"""Characters; the audit trail keeps `sub:<subject>`."""
LEEWAY = timedelta(seconds=5)
"""Tolerated clock difference between this server and an issuer."""
MAX_TOKEN_LENGTH = 8_192


@dataclass(frozen=True, slots=True)
class Claims:
    """What a verified token says. `own` is true for tokens this platform issued (signed with its secret)."""

    subject: str
    role: Role
    workspaces: frozenset[str]
    agent_id: str | None
    methods: frozenset[str]
    own: bool
    local_user: bool


@dataclass(frozen=True, slots=True)
class Verifier:
    """One configured key and the one algorithm it may be used with."""

    key: Any
    algorithm: str
    kid: str | None = None


def looks_like_jwt(text: str) -> bool:
    """True for the three-part form, whatever it contains."""
    return text.count(".") == 2 and all(text.split(".")) and len(text) <= MAX_TOKEN_LENGTH


def configured() -> bool:
    """True when some key is set, so that tokens can be verified at all."""
    return bool(settings.JWT_SECRET or settings.JWT_PUBLIC_KEY or settings.JWT_JWKS_FILE)


def verify(token: str) -> Claims:
    """The token's claims. Raises AuthRequired for anything but a valid, unexpired token of a configured key."""
    try:
        kid = jwt.get_unverified_header(token).get("kid")
    except jwt.PyJWTError:
        raise AuthRequired("The token is not a JWT.") from None
    for verifier in verifiers(kid):
        try:
            payload = decode(token, verifier)
        except jwt.ExpiredSignatureError:
            raise AuthRequired("The token has expired.", hint="Log in again.") from None
        except (jwt.InvalidSignatureError, jwt.InvalidAlgorithmError):
            continue
        except jwt.PyJWTError:
            raise AuthRequired("The token is not valid here.", hint="Check its issuer, audience and claims.") from None
        return claims(payload, own=verifier.algorithm == "HS256")
    raise AuthRequired("The token is not valid here.", hint="It is not signed with a configured key.")


def verifiers(kid: str | None) -> Iterator[Verifier]:
    """The configured keys, RSA first; of a key set only the one the token names, or its only one."""
    if settings.JWT_PUBLIC_KEY:
        yield Verifier(settings.JWT_PUBLIC_KEY, "RS256")
    if settings.JWT_JWKS_FILE:
        path = Path(settings.JWT_JWKS_FILE)
        keys = key_set(str(path), path.stat().st_mtime_ns)
        yield from (key for key in keys if key.kid == kid or (kid is None and len(keys) == 1))
    if settings.JWT_SECRET:
        yield Verifier(settings.JWT_SECRET, "HS256")


@lru_cache(maxsize=4)
def key_set(path: str, modified: int) -> tuple[Verifier, ...]:
    """The RSA signing keys of a JWKS file, read again when the file changes (`modified` is its mtime)."""
    try:
        entries = json.loads(Path(path).read_text(encoding="utf-8"))["keys"]
        return tuple(
            Verifier(jwt.PyJWK(entry, algorithm="RS256").key, "RS256", entry.get("kid"))
            for entry in entries
            if entry.get("kty") == "RSA" and entry.get("use", "sig") == "sig"
        )
    except (OSError, ValueError, KeyError, TypeError, jwt.PyJWTError) as problem:
        raise ImproperlyConfigured(f"JWT_JWKS_FILE: {path} is not a readable key set.") from problem


def decode(token: str, verifier: Verifier) -> dict[str, Any]:
    """Signature, expiry, issuer and audience. Raises jwt.PyJWTError."""
    return jwt.decode(
        token,
        verifier.key,
        algorithms=[verifier.algorithm],
        issuer=settings.JWT_ISSUER or None,
        audience=settings.JWT_AUDIENCE or None,
        leeway=LEEWAY,
        options={"require": ["exp", "sub"], "verify_aud": bool(settings.JWT_AUDIENCE)},
    )


def claims(payload: dict[str, Any], *, own: bool) -> Claims:
    """Claims from a verified payload. A missing role is the least one; a malformed claim is refused."""
    subject, agent = payload["sub"], payload.get("agent_id")
    workspaces, methods = payload.get("workspace_ids", []), payload.get("amr", [])
    if workspaces == EVERY_WORKSPACE:
        workspaces = [EVERY_WORKSPACE]
    well_formed = (
        isinstance(subject, str)
        and bool(subject.strip())
        and len(subject) <= LONGEST_SUBJECT
        and subject.isprintable()
        and (agent is None or isinstance(agent, str))
        and all(isinstance(value, list) and all(isinstance(v, str) for v in value) for value in (workspaces, methods))
    )
    try:
        role = Role(payload.get("role", Role.VIEWER))
    except ValueError:
        well_formed = False
    # One value, so that none can stand for several when they are joined (metronix.tenancy.context).
    well_formed = well_formed and all(
        value == EVERY_WORKSPACE or re.match(WORKSPACE_ID_PATTERN, value) for value in workspaces
    )
    if not well_formed:
        raise AuthRequired("The token's claims are malformed.", hint="Check sub, role, workspace_ids and agent_id.")
    return Claims(
        subject=subject,
        role=role,
        workspaces=frozenset(workspaces),
        agent_id=agent or None,
        methods=frozenset(methods),
        own=own,
        local_user=own and payload.get(LOCAL_CLAIM) is True,
    )


def issue(
    subject: str,
    *,
    role: Role,
    workspaces: list[str],
    lifetime: timedelta,
    local_user: bool = True,
    methods: tuple[str, ...] = (),
    now: datetime | None = None,
) -> str:
    """A signed token. `methods` becomes `amr`; only the login endpoint passes LOGIN_METHOD.

    Raises ImproperlyConfigured without JWT_SECRET: the platform signs with that alone.
    """
    if not settings.JWT_SECRET:
        raise ImproperlyConfigured("JWT_SECRET is not set, so no token can be issued.")
    now = now or datetime.now(UTC)
    payload: dict[str, Any] = {"sub": subject, "role": str(role), "workspace_ids": workspaces}
    payload |= {"iat": now, "exp": now + lifetime}
    optional = {"iss": settings.JWT_ISSUER, "aud": settings.JWT_AUDIENCE, "amr": list(methods)}
    payload |= {name: value for name, value in optional.items() if value}
    if local_user:
        payload[LOCAL_CLAIM] = True
    return jwt.encode(payload, settings.JWT_SECRET, algorithm="HS256")
