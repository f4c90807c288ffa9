"""A client of the REST door, in this process, through the whole middleware chain."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from django.http import HttpResponse
from django.test import Client, override_settings

from metronix.tenancy.credentials import issue_key
from metronix.tenancy.principal import PrincipalType, Role

HOSTED = {"AUTH_ENABLED": True, "METRONIX_MCP_API_KEY": "", "JWT_SECRET": "s" * 40}


@dataclass(frozen=True)
class Rest:
    """Calls of one caller: `headers` go with every request, `workspace` becomes `?workspace_id=`."""

    headers: dict[str, str] = field(default_factory=dict)
    workspace: str | None = None
    client: Client = field(default_factory=lambda: Client(enforce_csrf_checks=True, HTTP_HOST="testserver"))

    def __call__(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        params: dict[str, Any] | None = None,
        raw: bytes | None = None,
        content_type: str = "application/json",
        **headers: str,
    ) -> Reply:
        """Send; `headers` are spelled with underscores. `body` is sent as JSON, `raw` as it is."""
        data = raw if raw is not None else b"" if body is None else json.dumps(body).encode()
        query = {} if self.workspace is None else {"workspace_id": self.workspace}
        sent = self.headers | {name.replace("_", "-"): value for name, value in headers.items()}
        response = self.client.generic(
            method,
            path if path.startswith("/api") else f"/api/v1{path}",
            data,
            content_type=content_type if data else "",
            headers=sent,
            query_params=query | (params or {}),
        )
        return Reply(response)

    def get(self, path: str, **options: Any) -> Reply:
        return self("GET", path, **options)

    def post(self, path: str, body: Any = None, **options: Any) -> Reply:
        return self("POST", path, body, **options)

    def patch(self, path: str, body: Any = None, **options: Any) -> Reply:
        return self("PATCH", path, body, **options)

    def delete(self, path: str, **options: Any) -> Reply:
        return self("DELETE", path, **options)

    def acting(self, agent: str) -> Rest:
        """The same caller, whose calls are made for this agent."""
        return replace(self, headers=self.headers | {"X-Agent-Id": agent})


@dataclass(frozen=True)
class Reply:
    """A response with its JSON."""

    http: HttpResponse

    @property
    def status(self) -> int:
        return self.http.status_code

    @property
    def body(self) -> Any:
        return json.loads(self.http.content)

    def __getitem__(self, key: str) -> Any:
        return self.body[key]

    def ok(self, status: int = 200) -> Any:
        """The body of a success."""
        assert self.status == status, self
        assert self.http["X-Request-Id"]
        return self.body if self.http.content else None

    def refused(self, status: int, code: str | None = None) -> Any:
        """The body of a refusal, in the one shape of errors."""
        assert self.status == status, self
        body = self.body
        assert {"detail", "code", "request_id"} <= set(body)
        assert body["request_id"] == self.http["X-Request-Id"]
        assert code is None or body["code"] == code, self
        if status == 401:
            assert self.http["WWW-Authenticate"] == "Bearer"
        return body

    def __str__(self) -> str:
        return f"{self.status} {self.http.content[:600]!r}"


def with_key(
    workspace: str,
    *,
    role: Role = Role.EDITOR,
    agent: str | None = None,
    principal_type: PrincipalType = PrincipalType.MODEL,
) -> Rest:
    """A caller with a key of its own."""
    _, secret = issue_key(workspace_id=workspace, agent_id=agent, role=role, principal_type=principal_type)
    return Rest({"X-API-Key": secret}, workspace)


@contextmanager
def hosted(**more: Any) -> Iterator[None]:
    """The mode in which every caller must show a credential."""
    with override_settings(**(HOSTED | more)):
        yield
