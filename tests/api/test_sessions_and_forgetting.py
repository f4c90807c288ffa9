"""Sessions, and forgetting by agent, user, session and filter."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command

from memory.models import MemoryRecord, RecordVersion, Session
from metronix.tenancy.context import workspaces_visible
from metronix.tenancy.principal import Role
from tests.support.rest import Rest, with_key


@pytest.fixture
def rest(workspace: str) -> Rest:
    return Rest({}, workspace)


def store(rest: Rest, content: str, agent: str = "a", **fields: object) -> str:
    return rest.post("/memory/records", {"content": content, "agent_id": agent, **fields}).ok(201)["id"]


def test_a_session_from_start_to_end(rest: Rest) -> None:
    session = rest.post("/memory/sessions", {"agent_id": "a", "project": "p", "metadata": {"k": 1}}).ok(201)
    assert session["project"] == "p" and session["metadata"] == {"k": 1}
    name = session["session_id"]
    kept = store(rest, "kept", scope="session", session_id=name)
    left = store(rest, "left", scope="session", session_id=name)
    path = f"/memory/sessions/{name}"
    rest.post(f"{path}/end", {"agent_id": "b"}).refused(404)
    promoted = rest.post(f"{path}/promote", {"record_ids": [kept], "agent_id": "a"}).ok()
    assert promoted == {"promoted": [{"session_record_id": kept, "id": kept, "deduped": False}], "count": 1}
    assert rest.get(f"/memory/records/{kept}").ok()["scope"] == "per_agent"
    ended = rest.post(f"{path}/end").ok()
    assert ended["session_id"] == name and ended["promoted"] == []
    assert rest.post(f"{path}/end", {}).ok()["ended_at"] == ended["ended_at"]
    assert rest.post(f"{path}/promote", {"record_ids": [kept]}).ok() == promoted  # the first answer may be lost
    rest.post("/memory/sessions", {"agent_id": "a", "session_id": name}).refused(409, "CONFLICT")
    rest.post("/memory/sessions/unknown/end").refused(404)
    assert rest.delete(f"/memory/records/{left}").status == 204


def left_over(workspace: str) -> tuple[set[str], int]:
    """Contents still there, versions included, and how many sessions."""
    with workspaces_visible(workspace):
        contents = set(MemoryRecord.objects.values_list("content", flat=True))
        return contents | set(RecordVersion.objects.values_list("content", flat=True)), Session.objects.count()


@pytest.fixture
def full(rest: Rest) -> Rest:
    """A workspace with the memory of two agents."""
    first = store(rest, "a's first text")
    rest.patch(f"/memory/records/{first}", {"content": "a's fact"}).ok()
    store(rest, "a's preference", kind="preference", tags=["t"])
    store(rest, "a's for all", scope="global")
    store(rest, "a's session", scope="session", session_id="s")
    store(rest, "b's fact", "b", tags=["t"])
    store(rest, "b's session", "b", scope="session", session_id="s")
    return rest


@pytest.mark.parametrize(
    ("wanted", "matched", "sessions", "left"),
    [
        ({"agent_id": "a"}, 4, 1, {"b's fact", "b's session"}),
        ({"agent_id": "a", "session_id": "s"}, 1, 1, None),
        ({"filter": {"tags": ["t"]}}, 2, 0, None),
        ({"agent_id": "a", "filter": {"tags": ["t"]}}, 1, 0, None),
        ({"filter": {"kind_filter": ["preference"]}}, 1, 0, None),
        ({"filter": {"scope": "global"}}, 1, 0, None),
        ({"filter": {"created_before": "2020-01-01T00:00:00Z"}}, 0, 0, None),
        ({"user": "local"}, 6, 0, set()),
        ({"user": "nobody@example.org"}, 0, 0, None),
    ],
)
def test_forgetting(
    full: Rest, workspace: str, wanted: dict[str, object], matched: int, sessions: int, left: set[str] | None
) -> None:
    before = left_over(workspace)
    dry = full.post("/memory/forget", wanted).ok()
    assert (dry["dry_run"], dry["matched"], dry["deleted"], dry["sessions"]) == (True, matched, 0, sessions)
    assert len(dry["record_ids"]) == matched and left_over(workspace) == before
    done = full.post("/memory/forget", {**wanted, "dry_run": False}).ok()
    assert (done["matched"], done["deleted"], done["sessions"]) == (matched, matched, sessions)
    contents, open_sessions = left_over(workspace)
    assert open_sessions == before[1] - sessions
    assert left is None or contents == left
    assert full.post("/memory/forget", wanted).ok()["matched"] == 0
    if matched:
        ids = set(dry["record_ids"])
        assert not ids & {record["id"] for record in full.get("/memory/records").ok()["records"]}


def test_a_session_that_several_agents_have_is_nobodys(full: Rest, workspace: str) -> None:
    before = left_over(workspace)
    full.post("/memory/forget", {"session_id": "s", "dry_run": False}).refused(422)
    assert left_over(workspace) == before


@pytest.mark.parametrize("wanted", [{}, {"dry_run": False}, {"filter": {}, "dry_run": False}, {"filter": {"x": 1}}])
def test_nothing_given_forgets_nothing(full: Rest, workspace: str, wanted: dict[str, object]) -> None:
    before = left_over(workspace)
    full.post("/memory/forget", wanted).refused(422)
    assert left_over(workspace) == before


def test_who_may_forget(full: Rest, workspace: str) -> None:
    before = left_over(workspace)
    with_key(workspace, role=Role.VIEWER).post("/memory/forget", {"agent_id": "a", "dry_run": False}).refused(403)
    editor = with_key(workspace)
    editor.post("/memory/forget", {"user": "local", "dry_run": False}).refused(403)
    bound = with_key(workspace, agent="b")
    bound.post("/memory/forget", {"agent_id": "a", "dry_run": False}).refused(403)
    assert left_over(workspace) == before
    reply = bound.post("/memory/forget", {"filter": {"tags": ["t"]}, "dry_run": False}).ok()
    assert reply["deleted"] == 1 and "a's preference" in left_over(workspace)[0]


def test_the_command(full: Rest, workspace: str) -> None:
    call_command("forget", workspace=workspace, agent="a", stdout=(out := io.StringIO()))
    assert "Would go: 4 records and 1 sessions" in out.getvalue()
    call_command("forget", "--delete", workspace=workspace, agent="a", stdout=(out := io.StringIO()))
    assert left_over(workspace)[0] == {"b's fact", "b's session"}
    with pytest.raises(CommandError, match="Say what to forget"):
        call_command("forget", "--delete", workspace=workspace)
