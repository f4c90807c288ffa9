"""Every refusal and fault of the REST door in one shape: `{"detail", "code", "request_id", ...}`."""

from __future__ import annotations

import logging
from typing import Any, ClassVar

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response

from metronix.errors import AuthRequired, Forbidden, MetronixError, NotFound, RateLimited

logger = logging.getLogger(__name__)

RETRY_SECONDS = 5
"""What a client is told to wait when a dependency is down."""


class BadRequest(MetronixError):
    """The request itself is malformed (not JSON, a bad workspace id), before any field was looked at."""

    code = "INVALID_PARAMS"
    http_status = 400


class MethodNotAllowed(MetronixError):
    """The route exists, the method does not; the Allow header says which do."""

    code = "METHOD_NOT_ALLOWED"
    http_status = 405


class TooLarge(MetronixError):
    """The body exceeds METRONIX_MAX_BODY_BYTES."""

    code = "PAYLOAD_TOO_LARGE"
    http_status = 413


class UnsupportedType(MetronixError):
    """The body is not of a type this route reads."""

    code = "UNSUPPORTED_MEDIA_TYPE"
    http_status = 415


class DependencyDown(MetronixError):
    """PostgreSQL, or something else without which this cannot be answered, is away."""

    code = "SERVICE_UNAVAILABLE"
    http_status = 503


class Fault(MetronixError):
    """What a caller is told of a fault of ours; the cause is in the log under the same request id."""

    code: ClassVar[str] = "INTERNAL_ERROR"

    def __init__(self) -> None:
        super().__init__(
            "The server could not complete this request.",
            hint="Try again; if it persists, give the request id to whoever runs the server.",
        )


def error_body(problem: MetronixError, request_id: str) -> dict[str, Any]:
    """The published object. Details such as `field` and `problems` stand beside the three fixed keys."""
    body: dict[str, Any] = {**problem.details, "detail": problem.message, "code": problem.code}
    if problem.hint:
        body["hint"] = problem.hint
    return {**body, "request_id": request_id}


def error_headers(problem: MetronixError) -> dict[str, str]:
    """Headers that belong to a status."""
    if problem.http_status == AuthRequired.http_status:
        return {"WWW-Authenticate": "Bearer"}
    if problem.http_status == RateLimited.http_status:
        return {"Retry-After": str(problem.details.get("retry_after", RETRY_SECONDS))}
    return {"Retry-After": str(RETRY_SECONDS)} if problem.http_status == DependencyDown.http_status else {}


def refused(problem: Exception) -> MetronixError | None:
    """The refusal an exception stands for; None for what is a fault of ours."""
    match problem:
        case MetronixError():
            return problem
        case Http404() | exceptions.NotFound():
            return NotFound("There is nothing at this address.")
        case exceptions.MethodNotAllowed():
            return MethodNotAllowed("This method is not served here.", hint="See the Allow header and /api/docs/.")
        case PermissionDenied() | exceptions.PermissionDenied():
            return Forbidden("This request is not allowed.")
        case RequestDataTooBig():
            return TooLarge("The body is too large.")
        case exceptions.UnsupportedMediaType():
            return UnsupportedType("Content-Type must be application/json.")
        case SuspiciousOperation() | exceptions.ParseError():
            return BadRequest("The request is malformed.")
        case OperationalError() | InterfaceError():
            return DependencyDown("The database does not answer.", hint="Try again in a moment.")
    return None


def handle_exception(problem: Exception, context: dict[str, Any]) -> Response:
    """DRF's hook: an answer for whatever a view raised."""
    request_id = context["request"]._request.request_id
    known = refused(problem)
    if known is None or known.http_status >= 500:
        logger.error("request %s failed", request_id, exc_info=problem)
    known = known or Fault()
    return Response(error_body(known, request_id), status=known.http_status, headers=error_headers(known))
