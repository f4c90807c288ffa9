"""Query parameters: as strict as bodies, but written as text."""

from __future__ import annotations

import types
import typing
from typing import Annotated, Any, ClassVar

from django.http import HttpRequest
from drf_spectacular.utils import OpenApiParameter
from pydantic import ConfigDict, Field, WithJsonSchema

from metronix.strict import StrictModel
from metronix.strict_fields import AgentId, Offset

LARGEST_PAGE = 200

WorkspaceId = Annotated[
    str | None,
    WithJsonSchema({"type": "string", "pattern": "^[A-Za-z0-9_-]{0,64}$"}),
    Field(description="Workspace to work in; absent, empty or `default`: the caller's own."),
]
"""Only documented here: the door checks it first, and answers 400 or 403 where a field's own check would say 422."""


class Placed(StrictModel):
    """The parameter that every operation takes."""

    model_config: ClassVar[ConfigDict] = ConfigDict(strict=False)

    workspace_id: WorkspaceId = None

    @classmethod
    def documented(cls) -> list[OpenApiParameter]:
        """The parameters of the OpenAPI document."""
        schema = cls.model_json_schema()
        required = schema.get("required", [])
        return [
            OpenApiParameter(
                name,
                parameter_schema(found),
                OpenApiParameter.QUERY,
                required=name in required,
                description=found.get("description", ""),
            )
            for name, found in schema["properties"].items()
        ]


class Acting(Placed):
    """The parameters of operations on memories."""

    agent_id: Annotated[AgentId | None, Field(description="Agent to act as; absent: the X-Agent-Id header.")] = None


class Page(Placed):
    """The parameters of a list."""

    limit: Annotated[int, Field(ge=1, le=LARGEST_PAGE, description="Items per page.")] = 50
    offset: Annotated[Offset, Field(description="How many to skip.")] = 0
    cursor: Annotated[
        str | None,
        Field(max_length=1_024, description="The `cursor` of the page before; gives each item exactly once."),
    ] = None


def parameter_schema(found: dict[str, Any]) -> dict[str, Any]:
    """A property's schema without the null that only a body could carry."""
    kept = {key: value for key, value in found.items() if key not in ("anyOf", "title", "description", "default")}
    for branch in found.get("anyOf", []):
        if branch != {"type": "null"}:
            kept |= branch
    if found.get("default") is not None:
        kept["default"] = found["default"]
    return kept


def read_query(request: HttpRequest, form: type[Placed]) -> dict[str, Any]:
    """The parameters as the form wants them: lists for repeatable ones, the only value for the others.

    A repeated single parameter stays a list, which the form then refuses by name.
    """
    found: dict[str, Any] = {}
    for spelled, values in request.GET.lists():
        # Some clients write repeated parameters as `tags[]`.
        name = spelled.removesuffix("[]") if spelled.endswith("[]") else spelled
        if name in form.model_fields and repeatable(form.model_fields[name].annotation):
            found[name] = [*found.get(name, []), *values]
        else:
            found[name] = values[0] if len(values) == 1 else values
    return found


def repeatable(annotation: Any) -> bool:
    """True for list types, also optional ones."""
    origin = typing.get_origin(annotation)
    if origin in (typing.Union, types.UnionType):
        return any(repeatable(branch) for branch in typing.get_args(annotation))
    if origin is Annotated:
        return repeatable(typing.get_args(annotation)[0])
    return origin is list
