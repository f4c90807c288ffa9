"""/auth: logging in, and who one is."""

from __future__ import annotations

from typing import Annotated, Literal

from django.core.exceptions import ImproperlyConfigured
from pydantic import BaseModel, Field
from rest_framework.response import Response

from metronix.api.endpoint import Endpoint
from metronix.api.errors import DependencyDown
from metronix.api.operation import Call, operation
from metronix.strict import StrictModel
from metronix.tenancy.login import address_of, email_of, log_in, login_token
from metronix.tenancy.principal import Role


class Credentials(StrictModel):
    """Body of POST /auth/login."""

    email: Annotated[str, Field(min_length=1, max_length=254, description="The address of the account.")]
    password: Annotated[str, Field(min_length=1, max_length=1_024, description="Its password.")]


class Token(BaseModel):
    """A token for `Authorization: Bearer`."""

    token: str
    user_id: str
    email: str
    display_name: str
    role: Role


class Me(BaseModel):
    """The caller; `workspace_ids` may be `["*"]`, `email` is null for keys and for tokens of other issuers."""

    status: Literal["ok"]
    user_id: str
    email: str | None
    role: Role
    workspace_ids: list[str]
    principal_type: str
    agent_id: str | None


class Login(Endpoint):
    """/auth/login."""

    public = True

    @operation(
        "log_in",
        "Exchange a password for a token",
        role=None,
        body=Credentials,
        reply=Token,
        refusals=(403, 429),
        placed=False,
    )
    def post(self, call: Call) -> Response:
        """The token counts as a person. 403 for a disabled account; 429 after too many attempts."""
        user = log_in(call.body.email, call.body.password, address=address_of(call.request._request))
        try:
            token = login_token(user)
        except ImproperlyConfigured as problem:
            raise DependencyDown(str(problem)) from None
        return Response(
            {
                "token": token,
                "user_id": str(user.pk),
                "email": user.email,
                "display_name": user.display_name,
                "role": user.role,
            }
        )


class WhoAmI(Endpoint):
    """/auth/me."""

    @operation("who_am_i", "Who this credential is", role=Role.VIEWER, reply=Me, placed=False)
    def get(self, call: Call) -> Response:
        """Role and grants as they are now."""
        principal = call.principal
        return Response(
            {
                "status": "ok",
                "user_id": principal.id.removeprefix("user:").removeprefix("sub:"),
                "email": email_of(principal),
                "role": principal.role.value,
                "workspace_ids": sorted(principal.grants),
                "principal_type": principal.type.value,
                "agent_id": principal.bound_agent,
            }
        )
