"""/users: people and their grants."""

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
from metronix.strict import StrictModel
from metronix.tenancy.models import User
from metronix.tenancy.principal import EVERY_WORKSPACE, Role
from metronix.tenancy.services import create_user, get_user, list_users, set_password, update_user

Email = Annotated[str, Field(min_length=3, max_length=254), AfterValidator(f.storable)]
Password = Annotated[str, Field(min_length=1, max_length=1_024)]
RoleName = Annotated[Role, Field(strict=False)]
Grants = Annotated[
    list[Annotated[str, Field(pattern=r"^([A-Za-z0-9_-]{1,64}|\*)$")]],
    Field(max_length=1_000, description='Workspace ids, or "*" alone for every one, present and future.'),
]
DisplayName = Annotated[str, Field(max_length=128), AfterValidator(f.storable)]


class NewUser(StrictModel):
    """Body of POST /users."""

    email: Annotated[Email, Field(description="The address they log in with.")]
    password: Annotated[Password | None, Field(description="Absent: nobody can log in yet.")] = None
    role: RoleName = Role.VIEWER
    workspace_ids: Grants = []
    display_name: DisplayName = ""
    is_staff: Annotated[bool, Field(description="May log in to the admin.")] = False


class UserChange(StrictModel):
    """Body of PATCH /users/{id}; `workspace_ids` replaces the grants that the caller can see."""

    email: Email | None = None
    role: RoleName | None = None
    workspace_ids: Grants | None = None
    display_name: DisplayName | None = None
    is_staff: bool | None = None
    is_active: Annotated[bool | None, Field(description="false ends every access at once.")] = None


class NewPassword(StrictModel):
    """Body of POST /users/{id}/password."""

    password: Password


class UserReply(BaseModel):
    """A person with the grants the caller can see."""

    id: str
    email: str
    display_name: str
    role: Role
    workspace_ids: list[str]
    is_active: bool
    is_staff: bool
    created_at: Moment
    last_login: Moment | None


class UserList(Listed):
    """People, by address."""

    users: list[UserReply]


def payload(user: User) -> dict[str, Any]:
    """A person, JSON-ready."""
    every = user.all_workspaces
    return {
        "id": str(user.pk),
        "email": user.email,
        "display_name": user.display_name,
        "role": user.role,
        "workspace_ids": [EVERY_WORKSPACE] if every else sorted(grant.workspace_id for grant in user.grants.all()),
        "is_active": user.is_active,
        "is_staff": user.is_staff,
        "created_at": iso(user.created_at),
        "last_login": iso(user.last_login),
    }


def renamed(given: dict[str, Any]) -> dict[str, Any]:
    """The service's own name for the grants."""
    return {"workspaces" if name == "workspace_ids" else name: value for name, value in given.items()}


class Users(Endpoint):
    """/users."""

    @operation("list_users", "List people", role=Role.ADMIN, query=Page, reply=UserList, placed=False)
    def get(self, call: Call) -> Response:
        """All, or for an administrator of some workspaces those with a grant in them."""
        rows = sorted(list_users(call.principal), key=lambda row: row.email)
        about = ["users", call.principal.id]
        return Response(page_of("users", rows, call.query, about=about, key=lambda row: row.email, payload=payload))

    @operation(
        "create_user",
        "Add a person",
        role=Role.ADMIN,
        body=NewUser,
        reply=UserReply,
        status=201,
        refusals=(409,),
        placed=False,
    )
    def post(self, call: Call) -> Response:
        """With grants; nobody can give what they do not have."""
        return Response(payload(create_user(call.principal, **renamed(call.body.as_keywords()))), status=201)


class OneUser(Endpoint):
    """/users/{id}."""

    @operation("get_user", "Read a person", role=Role.ADMIN, reply=UserReply, refusals=(404,), placed=False)
    def get(self, call: Call, user_id: str) -> Response:
        """Grants included."""
        return Response(payload(get_user(call.principal, user_id=user_id)))

    @operation(
        "update_user",
        "Change a person",
        role=Role.ADMIN,
        body=UserChange,
        reply=UserReply,
        refusals=(404, 409),
        placed=False,
    )
    def patch(self, call: Call, user_id: str) -> Response:
        """The fields given are replaced; nobody demotes or disables themselves."""
        changes = renamed(call.body.as_keywords(only_given=True))
        return Response(payload(update_user(call.principal, user_id=user_id, **changes)))


class UserPassword(Endpoint):
    """/users/{id}/password."""

    @operation(
        "set_password",
        "Set a password",
        role=Role.ADMIN,
        body=NewPassword,
        reply=None,
        status=204,
        refusals=(404,),
        placed=False,
    )
    def post(self, call: Call, user_id: str) -> Response:
        """Of someone within reach; their other admin sessions end."""
        set_password(call.principal, user_id=user_id, password=call.body.password)
        return Response(status=204)
