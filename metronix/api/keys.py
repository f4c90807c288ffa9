"""/users/{id}/api-keys: the keys somebody keeps."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, Field
from rest_framework.response import Response

from metronix import strict_fields as f
from metronix.api.endpoint import Endpoint
from metronix.api.inputs import Page
from metronix.api.operation import Call, operation
from metronix.api.outputs import Listed, Moment, iso
from metronix.api.paging import page_of
from metronix.api.placing import named_workspace
from metronix.strict import StrictModel
from metronix.tenancy.models import ApiKey
from metronix.tenancy.principal import PrincipalType, Role
from metronix.tenancy.services.keepers import create_key_for, list_keys_of, revoke_key_of


class NewKey(StrictModel):
    """Body of POST /users/{id}/api-keys."""

    workspace_id: Annotated[
        str | None, Field(pattern=r"^[A-Za-z0-9_-]{0,64}$", description="The one it opens; absent: the default.")
    ] = None
    label: Annotated[str, Field(max_length=128, description="What it is for."), AfterValidator(f.storable)] = ""
    agent_id: Annotated[f.AgentId | None, Field(description="The only agent it may act as.")] = None
    role: Annotated[Role, Field(strict=False, description="The most it may do.")] = Role.EDITOR
    principal_type: Annotated[
        PrincipalType, Field(strict=False, description="human only if a person issues it; counts on REST alone.")
    ] = PrincipalType.MODEL
    expires_at: Annotated[f.Time | None, Field(description="When it ends; absent: never.")] = None


class KeyReply(BaseModel):
    """A key, without its secret."""

    id: str
    prefix: str
    label: str
    workspace_id: str
    agent_id: str | None
    role: Role
    principal_type: PrincipalType
    created_by: str
    created_at: Moment
    expires_at: Moment | None
    revoked_at: Moment | None
    last_used_at: Moment | None


class IssuedKey(KeyReply):
    """With the secret, which cannot be read again."""

    key: str


class KeyList(Listed):
    """Keys, newest first."""

    keys: list[KeyReply]


def payload(row: ApiKey) -> dict[str, Any]:
    """A key, JSON-ready."""
    return {
        "id": str(row.id),
        "prefix": row.prefix,
        "label": row.label,
        "workspace_id": row.workspace_id,
        "agent_id": row.agent_id,
        "role": row.role,
        "principal_type": row.principal_type,
        "created_by": row.created_by,
        "created_at": iso(row.created_at),
        "expires_at": iso(row.expires_at),
        "revoked_at": iso(row.revoked_at),
        "last_used_at": iso(row.last_used_at),
    }


def newest_first(row: ApiKey) -> str:
    """A text that falls as time rises."""
    return f"{10**17 - round(row.created_at.timestamp() * 1_000_000):018d}{row.id}"


class UserKeys(Endpoint):
    """/users/{id}/api-keys."""

    @operation(
        "list_api_keys",
        "List a person's keys",
        role=Role.ADMIN,
        query=Page,
        reply=KeyList,
        refusals=(404,),
        placed=False,
    )
    def get(self, call: Call, user_id: str) -> Response:
        """Those in workspaces granted to the caller, ended ones included."""
        rows = sorted(list_keys_of(call.principal, user_id=user_id), key=newest_first)
        about = ["keys", call.principal.id, user_id]
        return Response(page_of("keys", rows, call.query, about=about, key=newest_first, payload=payload))

    @operation(
        "create_api_key",
        "Issue a key",
        role=Role.ADMIN,
        body=NewKey,
        reply=IssuedKey,
        status=201,
        refusals=(404,),
        placed=False,
    )
    def post(self, call: Call, user_id: str) -> Response:
        """The secret is in this reply and nowhere else."""
        body = call.body
        workspace_id = named_workspace(call.principal, body.workspace_id)
        row, secret = create_key_for(
            call.principal,
            user_id=user_id,
            workspace_id=workspace_id,
            agent_id=body.agent_id,
            role=body.role,
            principal_type=body.principal_type,
            label=body.label,
            expires_at=body.expires_at,
        )
        return Response({**payload(row), "key": secret}, status=201)


class UserKey(Endpoint):
    """/users/{id}/api-keys/{key_id}."""

    @operation("revoke_api_key", "Revoke a key", role=Role.ADMIN, reply=None, status=204, refusals=(404,), placed=False)
    def delete(self, call: Call, user_id: str, key_id: str) -> Response:
        """It opens nothing from now on; again: the same answer."""
        revoke_key_of(call.principal, user_id=user_id, key_id=key_id)
        return Response(status=204)
