"""The base of every REST view."""

from __future__ import annotations

from typing import Any

from rest_framework import status
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from metronix.api.authentication import PlatformAuthentication, require_own_origin
from metronix.api.errors import handle_exception
from metronix.api.json_io import JSON, AlwaysJSON, Documented
from metronix.api.operation import Operation

METHODS = ("get", "post", "put", "patch", "delete")


class Endpoint(APIView):
    """A route whose methods are declared with `operation`; one without a declaration cannot be defined.

    `public` is for the login alone.
    """

    public = False
    authentication_classes = [PlatformAuthentication]
    permission_classes = []
    renderer_classes = [JSON]
    parser_classes = [Documented]
    content_negotiation_class = AlwaysJSON

    def __init_subclass__(cls, **options: Any) -> None:
        """Refuse a method that nobody said the rules of."""
        super().__init_subclass__(**options)
        for name in METHODS:
            if hasattr(cls, name) and not isinstance(getattr(getattr(cls, name), "operation", None), Operation):
                raise TypeError(f"{cls.__name__}.{name} is not declared with @operation.")

    @classmethod
    def operations(cls) -> dict[str, Operation]:
        """Method in upper case -> its declaration."""
        return {name.upper(): getattr(cls, name).operation for name in METHODS if hasattr(cls, name)}

    def get_authenticators(self) -> list[BaseAuthentication]:
        """None for the login: a stale token must not keep anyone from getting a new one."""
        return [] if self.public else super().get_authenticators()

    def get_exception_handler(self) -> Any:
        """The door's own; DRF's settings have no part in it."""
        return handle_exception

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """The rules that come before the method is known."""
        require_own_origin(request._request)
        super().initial(request, *args, **kwargs)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Nobody between us and the caller may keep what was meant for them; with an ETag they may ask again."""
        final = super().finalize_response(request, response, *args, **kwargs)
        final.setdefault("Cache-Control", "private, no-cache")
        return final

    def options(self, request: Any, *args: Any, **kwargs: Any) -> Response:
        """The methods served here, in the Allow header, and nothing else."""
        return Response(status=status.HTTP_204_NO_CONTENT)
