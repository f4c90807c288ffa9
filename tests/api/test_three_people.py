"""Owner, colleague, stranger: on every route that names something of the owner's."""

from __future__ import annotations

from typing import Any

import pytest

from metronix.tenancy.principal import Role
from tests.support.people import new_workspace
from tests.support.rest import Rest, hosted, with_key
from tests.support.routes import OWNER, SAMPLES, Route, routes

NAMED = ("<record_id>", "<session_id>", "<version_id>")
NAMING = [route for route in routes() if any(name in route.path for name in NAMED)]


def sent(rest: Rest, route: Route, workspace: str) -> Any:
    """A valid call of the owner's route, made by somebody else."""
    sample = SAMPLES[route.operation.name](workspace)
    path = route.path
    for name, value in sample.path.items():
        path = path.replace(f"<{name}>", value)
    body = {name: value for name, value in (sample.body or {}).items() if name != "agent_id"}
    return rest(route.method, path, body or None)


@pytest.mark.parametrize("route", NAMING, ids=lambda route: route.operation.name)
def test_what_is_the_owners_does_not_exist_for_others(route: Route, workspace: str) -> None:
    stranger = with_key(new_workspace(), role=Role.ADMIN)
    with hosted():
        colleague = with_key(workspace, agent="colleague")
        assert sent(with_key(workspace, agent=OWNER), route, workspace).status in (200, 204)
        unknown = {**sent(colleague, route, workspace).refused(404), "request_id": "", "detail": ""}
        foreign = {**sent(stranger, route, workspace).refused(404), "request_id": "", "detail": ""}
    # Nothing but the id asked for tells the two answers, or that of a made-up id, apart.
    for answer in (unknown, foreign):
        assert answer["code"] == "DOCUMENT_NOT_FOUND"
        assert not set(answer) - {"detail", "code", "request_id", "hint", "record_id", "session_id"}


def test_lists_and_searches_stay_within_reach(workspace: str) -> None:
    with hosted():
        owner, colleague = with_key(workspace, agent=OWNER), with_key(workspace, agent="colleague")
        stranger = with_key(new_workspace(), role=Role.ADMIN)
        mine = owner.post("/memory/records", {"content": "private zebra", "tags": ["secret"]}).ok(201)["id"]
        shared = owner.post("/memory/records", {"content": "shared zebra", "scope": "global"}).ok(201)["id"]
        for caller, seen in ((owner, {mine, shared}), (colleague, {shared}), (stranger, set())):
            assert {row["id"] for row in caller.get("/memory/records").ok()["records"]} == seen
            hits = caller.post("/memory/search", {"query": "zebra", "status_filter": ["all"]}).ok()["results"]
            assert {hit["record"]["id"] for hit in hits} == seen
            cited = caller.post("/memory/context", {"query": "zebra"}).ok()["citations"]
            assert {citation["id"] for citation in cited} == seen
            assert ("secret" in caller.get("/memory/facets").ok()["tags"]) is (mine in seen)
            assert caller.get("/stats").ok()["records"] == len(seen)
        gone = colleague.post("/memory/records/batch-delete", {"record_ids": [mine]}).ok(207)
        assert gone["deleted"] == 0
        forgotten = colleague.post("/memory/forget", {"filter": {"tags": ["secret"]}, "dry_run": False}).ok()
        assert forgotten["matched"] == forgotten["deleted"] == 0
        assert owner.get(f"/memory/records/{mine}").ok()["content"] == "private zebra"
