"""The one authenticator: MCP and REST ask it, so a credential means the same at both doors.

Three modes. Hosted (`AUTH_ENABLED=true`): a user token or an API key is required. Guarded (local, with
`METRONIX_MCP_API_KEY`): that key, or a user token or API key, is required. Open (local): nothing is required. A user
token or API key counts in every mode, so that a key bound to an agent or a role binds locally as well.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from django.conf import settings

from metronix.errors import AuthRequired
from metronix.tenancy import last_used, tokens
from metronix.tenancy.credentials import principal_for_key, principal_for_user_sub
from metronix.tenancy.models import AGENT_ID_PATTERN
from metronix.tenancy.principal import EVERY_WORKSPACE, LOCAL, Door, Principal, PrincipalType, Role

AGENT_ID = re.compile(AGENT_ID_PATTERN)
API_KEY = re.compile(r"mtk_[0-9a-f]{64}")
USER_ID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
"""A subject of this form may be a local user's id and is looked up; any other is a foreign issuer's."""
HOW = "Send Authorization: Bearer with a user token or an API key."
HOW_GUARDED = (
    "Send Authorization: Bearer with the shared key (the server's METRONIX_MCP_API_KEY), a user token or an API key."
)


class Mode(StrEnum):
    """How strictly callers must identify themselves."""

    HOSTED = "hosted"
    GUARDED = "guarded"
    OPEN = "open"


def mode() -> Mode:
    """The mode the settings ask for."""
    if settings.AUTH_ENABLED:
        return Mode.HOSTED
    return Mode.GUARDED if settings.METRONIX_MCP_API_KEY else Mode.OPEN


@dataclass(frozen=True, slots=True)
class Evidence:
    """A request's credential, checked as far as that goes without the database.

    At most one of `key` (an API key to look up) and `claims` (a verified token) is set; with neither, the caller is
    the local user of a mode that allows one.
    """

    door: Door
    agent: str | None = None
    key: str | None = None
    claims: tokens.Claims | None = None

    @property
    def needs_database(self) -> bool:
        """True when `resolve` will query: for an API key, and for a token whose subject may be a local user."""
        if self.claims is not None:
            return may_be_local(self.claims)
        return self.key is not None


def authenticate(headers: Mapping[str, str], *, door: Door) -> Principal:
    """Who sends these headers (names in lower case). May query the database. Raises AuthRequired."""
    return resolve(examine(headers, door=door))


def examine(headers: Mapping[str, str], *, door: Door) -> Evidence:
    """Find and check the credential without the database. Raises AuthRequired."""
    agent = headers.get("x-agent-id", "").strip()
    local = Evidence(door, agent if AGENT_ID.fullmatch(agent) else None)
    presented = credentials(headers)
    current = mode()
    if len(presented) > 1:
        raise AuthRequired("The request carries two different credentials.", hint="Send one.")
    if not presented:
        if current is Mode.OPEN:
            return local
        raise AuthRequired("This server needs a credential.", hint=how(current))
    secret = presented.pop()
    if current is Mode.GUARDED and same(secret, settings.METRONIX_MCP_API_KEY):
        return local
    if API_KEY.fullmatch(secret):
        return replace(local, key=secret)
    if secret.startswith("mtk_"):
        raise AuthRequired("The API key is malformed.", hint="A key is mtk_ and 64 hexadecimal digits.")
    if tokens.looks_like_jwt(secret) and tokens.configured():
        return replace(local, claims=tokens.verify(secret))
    if current is Mode.OPEN:
        # No credential is needed and this one is not of a kind we issue: a placeholder copied from an example.
        return local
    raise AuthRequired("The credential is not valid here.", hint=how(current))


def how(current: Mode) -> str:
    """What to send, for who sent nothing or nothing that counts."""
    return HOW_GUARDED if current is Mode.GUARDED else HOW


def credentials(headers: Mapping[str, str]) -> set[str]:
    """The distinct credentials of a request. A repeated header arrives joined by commas and so is none we issue."""
    found = {headers.get("x-api-key", "").strip(), headers.get("x-hyphae-key", "").strip()}
    authorization = headers.get("authorization", "").strip()
    if authorization:
        scheme, _, value = authorization.partition(" ")
        found.add(value.strip() if scheme.lower() == "bearer" else authorization)
    return found - {""}


def same(given: str, expected: str) -> bool:
    """Compare secrets in constant time."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), expected.encode())


def resolve(evidence: Evidence) -> Principal:
    """The principal behind the evidence. Raises AuthRequired for an unknown, expired or disabled credential."""
    if evidence.key is not None:
        principal = of_key(evidence.key, evidence.door)
    elif evidence.claims is not None:
        principal = of_claims(evidence.claims, evidence.door)
    else:
        principal = local_principal(evidence.door)
    # A bound credential is its agent: the header may not attribute its calls to another.
    return replace(principal, logged_agent=principal.bound_agent or evidence.agent)


def local_principal(door: Door) -> Principal:
    """Who calls where no credential is needed: the user of this machine."""
    return Principal(
        id=LOCAL, type=PrincipalType.MODEL, role=Role.ADMIN, grants=frozenset({EVERY_WORKSPACE}), door=door
    )


def of_key(key: str, door: Door) -> Principal:
    """The principal of an API key; a key issued as human is so on REST alone."""
    principal = principal_for_key(key, door)
    if principal is None:
        raise AuthRequired("The API key is unknown, expired or revoked.", hint="Ask an administrator for a new one.")
    assert principal.key_workspace is not None
    last_used.note_use(principal.key_workspace, principal.id.removeprefix("key:"))
    return principal


def of_claims(claims: tokens.Claims, door: Door) -> Principal:
    """The principal of a token: what it claims, and for a local user no more than that user still has."""
    if claims.agent_id is not None and not AGENT_ID.fullmatch(claims.agent_id):
        raise AuthRequired("The token's agent_id claim is malformed.")
    role, grants = claims.role, claims.workspaces
    user = principal_for_user_sub(claims.subject.lower(), door) if may_be_local(claims) else None
    if user is not None:
        role, grants = min(role, user.role, key=list(Role).index), both(grants, user.grants)
    elif claims.local_user:
        raise AuthRequired("The user of this token no longer exists.", hint="Ask an administrator.")
    typed_in = claims.own and user is not None and tokens.LOGIN_METHOD in claims.methods
    return Principal(
        id=user.id if user is not None else f"sub:{claims.subject}",
        type=PrincipalType.HUMAN if door is Door.REST and typed_in else PrincipalType.MODEL,
        role=role,
        grants=grants,
        door=door,
        bound_agent=claims.agent_id,
    )


def may_be_local(claims: tokens.Claims) -> bool:
    """True when the subject has to be looked up."""
    return claims.local_user or USER_ID.fullmatch(claims.subject) is not None


def both(left: frozenset[str], right: frozenset[str]) -> frozenset[str]:
    """Workspaces granted by both sides, either of which may grant all."""
    if EVERY_WORKSPACE in left:
        return right
    return left if EVERY_WORKSPACE in right else left & right
