"""The declaration of one route's method: who may call it, what it reads, what it answers.

The declaration is all there is: the door enforces it, the OpenAPI document is written from it, and the authorisation
matrix of the tests is derived from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, cast

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from pydantic import BaseModel
from rest_framework.request import Request
from rest_framework.response import Response

from metronix.api.inputs import Placed, read_query
from metronix.api.json_io import read_object
from metronix.api.outputs import Problem
from metronix.api.placing import place_call
from metronix.strict import StrictModel
from metronix.tenancy.principal import Principal, Role

Handler = Callable[..., Response]

ALWAYS = (400, 401, 403, 422, 503)
"""Refusals that any operation may answer with."""
MEANING = {
    400: "Malformed request",
    401: "No valid credential",
    403: "Role, grant or key binding does not allow it",
    404: "Unknown, or not yours",
    409: "Conflicts with the current state",
    412: "If-Match names another revision",
    413: "Body too large",
    415: "Body is not JSON",
    422: "A field is wrong; `field` names it",
    429: "Too many attempts; see Retry-After",
    503: "A dependency is down",
}


@dataclass(frozen=True)
class Operation:
    """One method of one route. `role` None is for the login alone: it needs no credential.

    `placed` operations act in one workspace; the others concern the caller or the platform, and only check a
    workspace that is named.
    """

    name: str
    summary: str
    role: Role | None
    query: type[Placed]
    body: type[StrictModel] | None
    reply: type[BaseModel] | None
    status: int
    also: Mapping[int, type[BaseModel]]
    refusals: tuple[int, ...]
    headers: Mapping[str, str]
    placed: bool


@dataclass(frozen=True)
class Call:
    """What a handler gets: the principal in its place, and checked input."""

    request: Request
    principal: Principal
    query: Any
    body: Any = field(default=None)


def operation(
    name: str,
    summary: str,
    *,
    role: Role | None,
    reply: type[BaseModel] | None,
    query: type[Placed] = Placed,
    body: type[StrictModel] | None = None,
    status: int = 200,
    also: Mapping[int, type[BaseModel]] | None = None,
    refusals: tuple[int, ...] = (),
    headers: Mapping[str, str] | None = None,
    placed: bool = True,
) -> Callable[[Handler], Handler]:
    """Declare a method of an Endpoint. `also` names further successes, `refusals` errors beyond the usual ones."""
    declared = Operation(name, summary, role, query, body, reply, status, also or {}, refusals, headers or {}, placed)

    def decorate(handler: Handler) -> Handler:
        @wraps(handler)
        def method(self: Any, request: Request, **path: str) -> Response:
            # A placed operation may have its workspace in the path instead of the query.
            workspace = path.pop("workspace_id", None) if declared.placed else None
            return handler(self, prepared(request, declared, workspace), **path)

        documented = described(declared, handler.__doc__ or "")(method)
        documented.operation = declared  # type: ignore[attr-defined]
        return documented

    return decorate


def prepared(request: Request, declared: Operation, workspace: str | None = None) -> Call:
    """Authorise first, then look at fields, then see that the workspace exists."""
    raw_query = read_query(request._request, declared.query)
    principal = cast(Principal, request.user)
    if declared.role is None:
        return Call(request, principal, None, read_body(request, declared))
    located = place_call(principal, raw_query.get("workspace_id"), role=declared.role, placed=declared.placed)
    if workspace is not None:
        # The path decides; what the query says must still be sound and granted.
        located = place_call(principal, workspace, role=declared.role, placed=True)
    query = declared.query.parse(raw_query)
    body = read_body(request, declared)
    return Call(request, located.act(query, body), query, body)


def read_body(request: Request, declared: Operation) -> Any:
    """The checked body, or None where the operation has none."""
    return None if declared.body is None else declared.body.parse(read_object(request._request))


def described(declared: Operation, description: str) -> Callable[[Handler], Handler]:
    """The OpenAPI side of a declaration."""
    problems = {*ALWAYS, *declared.refusals}
    if declared.role is None:
        problems -= {403} - set(declared.refusals)
    if declared.body is not None:
        problems |= {413, 415}
    if declared.placed:
        problems.add(404)
    replies: dict[int, Any] = {code: OpenApiResponse(Problem, MEANING[code]) for code in sorted(problems)}
    replies |= {declared.status: declared.reply, **declared.also}
    parameters = [] if declared.role is None else declared.query.documented()
    parameters += [
        OpenApiParameter(name, str, OpenApiParameter.HEADER, description=text)
        for name, text in declared.headers.items()
    ]
    needed = f"Needs the role {declared.role.value}." if declared.role else "Needs no credential."
    return extend_schema(
        operation_id=declared.name,
        summary=declared.summary,
        description=f"{description}\n\n{needed}".strip(),
        request=declared.body,
        responses=replies,
        parameters=parameters,
        auth=[] if declared.role is None else None,
    )
