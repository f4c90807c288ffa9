"""Every REST operation, from the URL configuration itself, with a valid call of each."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.contrib.auth.hashers import make_password
from django.urls import URLPattern, URLResolver, get_resolver

from memory.services import record_history, start_session, store_record, update_record
from metronix.api.endpoint import Endpoint
from metronix.api.operation import Operation
from metronix.tenancy.credentials import issue_key
from metronix.tenancy.models import User
from tests.support.people import model_principal, new_workspace

OWNER = "owner"
PASSWORD = "correct horse battery"


@dataclass(frozen=True)
class Route:
    """One method of one route; `path` has its parameters in angle brackets."""

    method: str
    path: str
    operation: Operation


def routes() -> list[Route]:
    """All of them, sorted; views that are no Endpoint (health, schema, docs, admin) have no rules to state."""
    found = [
        Route(method, f"/{path}", operation)
        for path, endpoint in endpoints("", get_resolver().url_patterns)
        for method, operation in endpoint.operations().items()
    ]
    return sorted(found, key=lambda route: (route.path, route.method))


def endpoints(prefix: str, patterns: list[URLPattern | URLResolver]) -> Iterator[tuple[str, type[Endpoint]]]:
    """(path, view) of the endpoints below."""
    for pattern in patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from endpoints(path, pattern.url_patterns)
        else:
            view = getattr(pattern.callback, "view_class", None)
            if view is not None and issubclass(view, Endpoint):
                yield path.replace("<str:", "<").replace("<path:", "<"), view


@dataclass(frozen=True)
class Sample:
    """What a valid call needs: values of the path's parameters, and a body."""

    path: dict[str, str]
    body: dict[str, Any] | None = None


def record(workspace: str, **fields: Any) -> str:
    """A new record of the owner; its id."""
    content = f"statement {uuid.uuid4()}"
    return str(store_record(model_principal(workspace, OWNER), content=content, **fields).record.id)


def changed(workspace: str) -> str:
    """A record with a former content."""
    record_id = record(workspace)
    update_record(model_principal(workspace, OWNER), record_id=record_id, content=text())
    return record_id


def version(workspace: str) -> str:
    """A former content's own id."""
    return str(record_history(model_principal(workspace, OWNER), record_id=changed(workspace))[0].id)


def session(workspace: str) -> str:
    """A new session of the owner; its id as callers name it."""
    return start_session(model_principal(workspace, OWNER)).key


@cache
def hashed_password() -> str:
    """Hashing takes its time on purpose; once is enough."""
    return make_password(PASSWORD)


def person() -> User:
    """Somebody who can log in, and who has no access beyond anybody's."""
    return User.objects.create(email=f"{uuid.uuid4().hex}@example.org", password=hashed_password())


def person_with_key(workspace: str) -> dict[str, str]:
    """Somebody with a key."""
    user = person()
    row, _ = issue_key(workspace_id=workspace, keeper=user)
    return {"user_id": str(user.pk), "key_id": str(row.id)}


def in_session(workspace: str) -> Sample:
    """A session with a record to promote."""
    name = session(workspace)
    return Sample({"session_id": name}, {"record_ids": [record(workspace, scope="session", session_id=name)]})


def text() -> str:
    return uuid.uuid4().hex


def of_record(body: dict[str, Any] | None = None) -> Callable[[str], Sample]:
    return lambda workspace: Sample({"record_id": record(workspace)}, body)


def of_person(body: dict[str, Any] | None = None) -> Callable[[str], Sample]:
    return lambda workspace: Sample({"user_id": str(person().pk)}, body)


def plain(body: Callable[[], dict[str, Any]] | None = None) -> Callable[[str], Sample]:
    return lambda workspace: Sample({}, body() if body else None)


def here(body: dict[str, Any] | None = None) -> Callable[[str], Sample]:
    return lambda workspace: Sample({"workspace_id": workspace}, body)


SAMPLES: dict[str, Callable[[str], Sample]] = {
    "log_in": plain(lambda: {"email": person().email, "password": PASSWORD}),
    "who_am_i": plain(),
    "list_users": plain(),
    "create_user": plain(lambda: {"email": f"{text()}@example.org"}),
    "get_user": of_person(),
    "update_user": of_person({"display_name": "Renamed"}),
    "set_password": of_person({"password": "another password"}),
    "list_api_keys": of_person(),
    "create_api_key": lambda workspace: Sample({"user_id": str(person().pk)}, {"workspace_id": workspace}),
    "revoke_api_key": lambda workspace: Sample(person_with_key(workspace)),
    "list_workspaces": plain(),
    "create_workspace": plain(lambda: {"workspace_id": text()}),
    "get_workspace": here(),
    "update_workspace": here({"description": "changed"}),
    # Not the callers' own: that would end the test.
    "delete_workspace": lambda workspace: Sample({"workspace_id": new_workspace("doomed")}),
    "workspace_stats": here(),
    "stats": plain(),
    "store_memory": plain(lambda: {"content": text(), "agent_id": OWNER}),
    "list_memories": plain(),
    "get_memory": of_record(),
    "update_memory": of_record({"importance_score": 0.9}),
    "delete_memory": of_record(),
    "memory_history": of_record(),
    "memory_events": of_record(),
    "undo_memory_update": lambda workspace: Sample({"record_id": changed(workspace)}),
    "get_memory_version": lambda workspace: Sample({"version_id": version(workspace)}),
    "store_memories": plain(lambda: {"agent_id": OWNER, "records": [{"content": text()}]}),
    "delete_memories": lambda workspace: Sample({}, {"record_ids": [record(workspace)]}),
    "search_memories": plain(lambda: {"query": "statement", "agent_id": OWNER}),
    "memory_facets": plain(),
    "memory_context": plain(lambda: {"query": "statement", "agent_id": OWNER}),
    "forget_memories": plain(lambda: {"agent_id": OWNER, "filter": {"tags": [text()]}, "dry_run": False}),
    "start_session": plain(lambda: {"agent_id": OWNER}),
    "end_session": lambda workspace: Sample({"session_id": session(workspace)}, {"agent_id": OWNER}),
    "promote_memories": in_session,
}
"""Operation -> a valid call of it, made afresh; a route without one fails the suite."""
