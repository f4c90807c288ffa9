"""Who calls: the platform's one authenticator, and beside it the session of someone logged in to the admin."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, CSRFCheck
from rest_framework.request import Request

from metronix.errors import Forbidden
from metronix.tenancy.authenticate import Mode, authenticate, credentials, mode
from metronix.tenancy.credentials import principal_for_user_sub
from metronix.tenancy.origin import foreign_origin
from metronix.tenancy.principal import Door, Principal, PrincipalType

SAFE = ("GET", "HEAD", "OPTIONS")


def headers_of(request: HttpRequest) -> dict[str, str]:
    """The request's headers by lower-case name."""
    return {name.lower(): value for name, value in request.headers.items()}


class PlatformAuthentication(BaseAuthentication):
    """`request.user` becomes a Principal. A credential sent on purpose counts before a session sent by habit."""

    def authenticate(self, request: Request) -> tuple[Principal, None]:
        """Raises AuthRequired, or Forbidden where a session lacks its CSRF token."""
        headers = headers_of(request._request)
        principal = None if credentials(headers) else of_session(request._request)
        if principal is None:
            principal = authenticate(headers, door=Door.REST)
        return replace(principal, request_id=request._request.request_id), None  # type: ignore[attr-defined]

    def authenticate_header(self, request: Request) -> str:
        """For DRF's own 401s."""
        return "Bearer"


def of_session(request: HttpRequest) -> Principal | None:
    """The person of an admin session, with the access they have now; None without one. Raises Forbidden."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return None
    user = getattr(request, "user", None)
    if user is None or not (user.is_authenticated and user.is_active and user.is_staff):
        return None
    if request.method not in SAFE:
        require_csrf(request)
    principal = principal_for_user_sub(str(user.pk), Door.REST)
    return None if principal is None else replace(principal, type=PrincipalType.HUMAN)


def require_csrf(request: HttpRequest) -> None:
    """A browser sends its session cookie with whatever page asks; the token shows that it was one of ours."""
    check = CSRFCheck(lambda request: None)  # type: ignore[arg-type]
    check.process_request(request)
    if check.process_view(request, HttpResponse, (), {}):
        raise Forbidden("The CSRF token is missing or wrong.", hint="Send the csrftoken cookie's value as X-CSRFToken.")


def require_own_origin(request: HttpRequest) -> None:
    """In open mode no page of another site may change anything through someone's browser. Raises Forbidden."""
    if request.method in SAFE or mode() is not Mode.OPEN:
        return
    headers = headers_of(request)
    # Every browser names the origin of an unsafe request; the second header is a net for one that would not.
    if foreign_origin(headers) or headers.get("sec-fetch-site") == "cross-site":
        raise Forbidden("Requests from other sites are refused.", hint="List the origin in CSRF_TRUSTED_ORIGINS.")


class Described(OpenApiAuthenticationExtension):
    """The credentials in the OpenAPI document; each alone suffices, and open mode needs none."""

    target_class = "metronix.api.authentication.PlatformAuthentication"
    name = ["bearer", "apiKey", "adminSession"]

    def get_security_definition(self, auto_schema: Any) -> list[dict[str, str]]:
        """One definition per name."""
        return [
            {"type": "http", "scheme": "bearer", "description": "A user token (POST /auth/login) or an API key."},
            {"type": "apiKey", "in": "header", "name": "X-API-Key"},
            {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME},
        ]

    def get_security_requirement(self, auto_schema: Any) -> list[dict[str, list[str]]]:
        """Any of them, or none in open mode."""
        required: list[dict[str, list[str]]] = [{name: []} for name in self.name]
        return [*required, {}]
