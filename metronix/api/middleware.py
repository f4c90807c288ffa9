"""What holds for every request outside MCP: an id, one spelling of a path, JSON errors for programs."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from metronix.api.errors import BadRequest, Fault, TooLarge, error_body
from metronix.errors import Forbidden, MetronixError, NotFound

PEOPLE = ("/admin", "/static/")
"""Pages for people; Django's own rules about slashes and error pages apply to them."""
PROGRAMS = ("/api", "/v1", "/health", "/ready", "/metrics")
HEADER = "X-Request-Id"


class RequestMiddleware:
    """The outermost middleware; an answer of any kind passes it, so that every one carries the id."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Name the request, take one trailing slash off its path, see that a program gets JSON."""
        request.request_id = uuid.uuid4().hex  # type: ignore[attr-defined]
        path = request.path_info
        if len(path) > 1 and path.endswith("/") and not path.startswith(PEOPLE):
            request.path_info = path[:-1]
        response = self.get_response(request)
        if response.status_code >= HTTPStatus.BAD_REQUEST and path.startswith(PROGRAMS) and not is_json(response):
            response = as_json(response, request.request_id)  # type: ignore[attr-defined]
        response[HEADER] = request.request_id  # type: ignore[attr-defined]
        return response


class OneThread:
    """The innermost middleware; it does nothing, and says that it can only do so synchronously.

    Django then runs the whole chain and the view in one step on the request's thread. Without it, under ASGI, each
    middleware hops to that thread and back twice: a millisecond for every request.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass it on."""
        return self.get_response(request)


def is_json(response: HttpResponseBase) -> bool:
    """True for an answer that is ours already."""
    return response.get("Content-Type", "").partition(";")[0] == "application/json"


def as_json(response: HttpResponseBase, request_id: str) -> HttpResponse:
    """One of Django's own error pages (no such route, a bad Host, a fault in a middleware) in the door's shape."""
    problem = of_status(response.status_code)
    body = json.dumps(error_body(problem, request_id))
    return HttpResponse(body, status=response.status_code, content_type="application/json")


def of_status(status: int) -> MetronixError:
    """The refusal behind a bare status."""
    if status == HTTPStatus.NOT_FOUND:
        return NotFound("There is nothing at this address.", hint="See /api/docs/.")
    if status == HTTPStatus.FORBIDDEN:
        return Forbidden("This request is not allowed.")
    if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return TooLarge("The body is too large.")
    return BadRequest("The request is malformed.") if status < HTTPStatus.INTERNAL_SERVER_ERROR else Fault()
