"""/workspaces."""

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
from metronix.errors import InvalidParams
from metronix.strict import StrictModel
from metronix.tenancy.access import DEFAULT_WORDS
from metronix.tenancy.models import Workspace
from metronix.tenancy.principal import Role
from metronix.tenancy.services import (
    create_workspace,
    delete_workspace,
    get_workspace,
    list_workspaces,
    update_workspace,
)

Name = Annotated[str, Field(max_length=128, description="For people."), AfterValidator(f.storable)]
Description = Annotated[str, Field(max_length=2_000, description="What it is for."), AfterValidator(f.storable)]
Config = Annotated[dict[str, Any], Field(description="Settings of the workspace, up to 32 KiB.")]


class NewWorkspace(StrictModel):
    """Body of POST /workspaces."""

    workspace_id: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$", description="Its id, for good.")]
    name: Name = ""
    description: Description = ""
    config: Config | None = None


class WorkspaceChange(StrictModel):
    """Body of PATCH /workspaces/{id}."""

    name: Name | None = None
    description: Description | None = None
    config: Config | None = None
    is_active: Annotated[bool | None, Field(description="false: answers nobody, keeps everything.")] = None


class WorkspaceReply(BaseModel):
    """A workspace."""

    workspace_id: str
    name: str
    description: str
    created_at: Moment
    is_active: bool
    config: dict[str, Any]


class WorkspaceList(Listed):
    """Workspaces granted to the caller, by id."""

    workspaces: list[WorkspaceReply]


def payload(row: Workspace) -> dict[str, Any]:
    """A workspace, JSON-ready."""
    return {
        "workspace_id": row.id,
        "name": row.name,
        "description": row.description,
        "created_at": iso(row.created_at),
        "is_active": row.is_active,
        "config": row.config,
    }


class Workspaces(Endpoint):
    """/workspaces."""

    @operation(
        "list_workspaces",
        "List workspaces",
        role=Role.VIEWER,
        query=Page,
        reply=WorkspaceList,
        placed=False,
    )
    def get(self, call: Call) -> Response:
        """Those granted to the caller, inactive ones included."""
        rows = list_workspaces(call.principal)
        about = ["workspaces", call.principal.id]
        key = lambda row: row.id  # noqa: E731
        rows.sort(key=key)  # by code points, as the cursor compares; the database's collation may differ
        return Response(page_of("workspaces", rows, call.query, about=about, key=key, payload=payload))

    @operation(
        "create_workspace",
        "Create a workspace",
        role=Role.ADMIN,
        body=NewWorkspace,
        reply=WorkspaceReply,
        status=201,
        refusals=(409,),
        placed=False,
    )
    def post(self, call: Call) -> Response:
        """For administrators of all workspaces."""
        body = call.body
        row = create_workspace(
            call.principal,
            workspace_id=body.workspace_id,
            name=body.name,
            description=body.description,
            config=body.config,
        )
        return Response(payload(row), status=201)


class OneWorkspace(Endpoint):
    """/workspaces/{id}."""

    @operation(
        "get_workspace", "Read a workspace", role=Role.VIEWER, reply=WorkspaceReply, refusals=(404,), placed=False
    )
    def get(self, call: Call, workspace_id: str) -> Response:
        """A granted one; `default` is the caller's own."""
        wanted = named_workspace(call.principal, workspace_id)
        return Response(payload(get_workspace(call.principal, workspace_id=wanted)))

    @operation(
        "update_workspace",
        "Change a workspace",
        role=Role.ADMIN,
        body=WorkspaceChange,
        reply=WorkspaceReply,
        refusals=(404,),
        placed=False,
    )
    def patch(self, call: Call, workspace_id: str) -> Response:
        """The fields given are replaced."""
        wanted = named_workspace(call.principal, workspace_id)
        row = update_workspace(call.principal, workspace_id=wanted, **call.body.as_keywords(only_given=True))
        return Response(payload(row))

    @operation(
        "delete_workspace",
        "Delete a workspace with everything in it",
        role=Role.ADMIN,
        reply=None,
        status=204,
        refusals=(404, 409),
        placed=False,
    )
    def delete(self, call: Call, workspace_id: str) -> Response:
        """There is no way back; to put it to rest, set is_active to false."""
        # By its own name: what stands for the default must not be deleted by a word.
        if workspace_id in DEFAULT_WORDS:
            raise InvalidParams("Name the workspace to delete.", field="workspace_id")
        delete_workspace(call.principal, workspace_id=named_workspace(call.principal, workspace_id))
        return Response(status=204)
