"""Fixtures of the gateway's tests. Models are imported inside: pytest reads this before Django is configured."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from pytest_django import Settings

from metronix.tenancy.principal import Role

if TYPE_CHECKING:
    from tests.mcp_gateway.serving import Mcp


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    """A served gateway, shared by a module's tests."""
    from tests.mcp_gateway.serving import gateway_server

    with gateway_server() as url:
        yield url


@pytest.fixture(autouse=True)
def open_mode(settings: Settings, workspace: str) -> Settings:
    """Local and open, each test in a workspace of its own, unless the test says otherwise."""
    settings.AUTH_ENABLED, settings.METRONIX_MCP_API_KEY = False, ""
    settings.DEFAULT_WORKSPACE_ID = workspace
    settings.JWT_SECRET = "a secret of more than thirty-two bytes, as HS256 wants"
    settings.JWT_PUBLIC_KEY = settings.JWT_JWKS_FILE = settings.JWT_ISSUER = settings.JWT_AUDIENCE = ""
    return settings


@pytest.fixture
def mcp(base_url: str) -> Mcp:
    """The agent `owner` at /mcp, without a credential."""
    from tests.mcp_gateway.serving import Mcp

    return Mcp(base_url, X_Agent_Id="owner")


@pytest.fixture
def key(workspace: str) -> Callable[..., str]:
    """Issues an API key for the test's workspace."""
    from metronix.tenancy.credentials import issue_key

    def issue(role: Role = Role.EDITOR, agent: str | None = None) -> str:
        return issue_key(workspace_id=workspace, role=role, agent_id=agent)[1]

    return issue
