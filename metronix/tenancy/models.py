"""Workspaces and who may enter them: users with grants, agents, API keys."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.core.validators import RegexValidator
from django.db import models

from metronix.tenancy.principal import PrincipalType, Role

WORKSPACE_ID_PATTERN = r"^[A-Za-z0-9_-]{1,64}\Z"
AGENT_ID_PATTERN = r"^[A-Za-z0-9._-]{1,64}\Z"


def choices(enum: type[Role] | type[PrincipalType]) -> list[tuple[str, str]]:
    """Django choices of a string enum."""
    return [(member.value, member.value) for member in enum]


class UserManager(BaseUserManager["User"]):
    """Creates users by e-mail address."""

    def create_user(self, email: str, password: str | None = None, **fields: object) -> User:
        """A user with a usable password, or none when `password` is None."""
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def get_by_natural_key(self, username: str | None) -> User:
        """Log in by the address as typed, whatever its case."""
        return self.get(email=(username or "").lower())


class User(AbstractBaseUser, PermissionsMixin):
    """A person. `role` caps what the person may do in every granted workspace."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    email = models.EmailField(unique=True)
    display_name = models.CharField(max_length=128, blank=True)
    role = models.CharField(max_length=16, choices=choices(Role), default=Role.VIEWER)
    all_workspaces = models.BooleanField(default=False, help_text="Grants every workspace, present and future.")
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False, help_text="May log in to the admin.")
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[UserManager] = UserManager()
    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        db_table = "users"
        ordering: ClassVar[list[str]] = ["email"]

    def __str__(self) -> str:
        return self.email


class Workspace(models.Model):
    """The unit of isolation: every other row of the platform belongs to exactly one."""

    id = models.CharField(primary_key=True, max_length=64, validators=[RegexValidator(WORKSPACE_ID_PATTERN)])
    name = models.CharField(max_length=128)
    description = models.TextField(blank=True)
    config = models.JSONField(default=dict, blank=True)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "workspaces"
        ordering: ClassVar[list[str]] = ["id"]

    def __str__(self) -> str:
        return self.id


class Grant(models.Model):
    """One user's admission to one workspace."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="grants")
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="grants")

    class Meta:
        db_table = "workspace_grants"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["user", "workspace"], name="one_grant_per_user_and_workspace")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.workspace_id}"


class Agent(models.Model):
    """An agent seen in a workspace; `agent_id` is the stable id it calls itself by."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="agents")
    agent_id = models.CharField(max_length=64, validators=[RegexValidator(AGENT_ID_PATTERN)])
    name = models.CharField(max_length=128, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "agents"
        ordering: ClassVar[list[str]] = ["agent_id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["workspace", "id"], name="agents_workspace_and_id"),
            models.UniqueConstraint(fields=["workspace", "agent_id"], name="one_agent_per_workspace_and_agent_id"),
        ]

    def __str__(self) -> str:
        return self.agent_id


class ApiKey(models.Model):
    """A credential for programs. Only its SHA-256 is kept; the key itself is shown once, when issued."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="api_keys")
    label = models.CharField(max_length=128, blank=True)
    prefix = models.CharField(max_length=12, editable=False, help_text="First characters, to tell keys apart.")
    key_hash = models.CharField(max_length=64, unique=True, editable=False)
    agent_id = models.CharField(
        max_length=64, null=True, blank=True, help_text="If set, the key may act as this agent only."
    )
    role = models.CharField(max_length=16, choices=choices(Role), default=Role.EDITOR)
    principal_type = models.CharField(max_length=8, choices=choices(PrincipalType), default=PrincipalType.MODEL)
    created_by = models.CharField(max_length=160, blank=True, help_text="Who issued it.")
    keeper = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.CASCADE, related_name="api_keys", help_text="Whose key it is."
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "api_keys"
        verbose_name = "API key"
        ordering: ClassVar[list[str]] = ["-created_at"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["workspace", "id"], name="api_keys_workspace_and_id")
        ]

    def __str__(self) -> str:
        return f"{self.prefix}… {self.label}".strip()
