"""JSON in, strictly; JSON out, always."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from django.conf import settings
from django.http import HttpRequest
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import JSONParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from metronix.api.errors import BadRequest, TooLarge, UnsupportedType
from metronix.errors import InvalidParams

DEEPEST = 100
"""Levels of nesting taken; deeper ones serve only to exhaust whoever walks them."""


class JSON(BaseRenderer):
    """UTF-8 without escapes; half a surrogate pair, which UTF-8 cannot carry, becomes a question mark."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        """Nothing for None (204), else one line."""
        if data is None:
            return b""
        return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


class AlwaysJSON(BaseContentNegotiation):
    """Whatever a client says it accepts: an error it can read helps it more than a 406."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        """The only one."""
        return parsers[0]

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        """The only one."""
        return renderers[0], renderers[0].media_type


class Documented(JSONParser):
    """Names the type in the OpenAPI document. Bodies are read by `read_object`: DRF takes a chunked one for empty."""


def read_object(request: HttpRequest) -> dict[str, Any]:
    """The JSON object of the body, `{}` for an empty one.

    Raises UnsupportedType, TooLarge, BadRequest (no JSON, or nested too deeply), InvalidParams (not an object).
    """
    raw = request.body
    if not raw:
        return {}
    if request.content_type != "application/json":
        raise UnsupportedType("Content-Type must be application/json.")
    if len(raw) > settings.METRONIX_MAX_BODY_BYTES:
        raise TooLarge(f"The body is larger than {settings.METRONIX_MAX_BODY_BYTES:,} bytes.")
    try:
        value = json.loads(raw.decode("utf-8"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise BadRequest("The body is not valid JSON in UTF-8.") from None
    _refuse_depth(value)
    if not isinstance(value, dict):
        raise InvalidParams("The body must be a JSON object.", field="body")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _refuse_depth(value: Any) -> None:
    level: list[Any] = [value]
    for _ in range(DEEPEST):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return
    raise BadRequest(f"The body is nested deeper than {DEEPEST} levels.")
