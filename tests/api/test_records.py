"""Routes of memory records: store, list, read, change, delete."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections

from tests.support.people import new_workspace
from tests.support.rest import Rest


@pytest.fixture
def rest(workspace: str) -> Rest:
    """The local caller of open mode."""
    return Rest({}, workspace)


def test_a_record_from_its_store_to_its_deletion(rest: Rest) -> None:
    stored = rest.post("/memory/records", {"content": "Ada likes tea", "agent_id": "hermes", "tags": ["drink"]})
    record = stored.ok(201)
    assert record["deduped"] is False and record["revision"] == 1 and stored.http["ETag"] == '"1"'
    again = rest.post("/memory/records", {"content": " Ada likes tea ", "agent_id": "hermes"}).ok(200)
    assert again["deduped"] is True and again["id"] == record["id"]

    path = f"/memory/records/{record['id']}"
    assert rest.get(path).ok()["content"] == "Ada likes tea"
    assert rest.get(path, If_None_Match='"1"').status == 304
    changed = rest.patch(path, {"content": "Ada likes coffee"}, If_Match='"1"')
    assert changed.ok()["revision"] == 2 and changed.http["ETag"] == '"2"'
    history = rest.get(f"{path}/history").ok()
    assert [entry["content"] for entry in history["entries"]] == ["Ada likes tea", "Ada likes coffee"]
    assert history["entries"][-1]["id"] == record["id"] and history["total"] == 2
    former = rest.get(f"/memory/versions/{history['entries'][0]['id']}").ok()
    assert former["content"] == "Ada likes tea" and former["valid_to"]
    rest.get(f"/memory/versions/{record['id']}").refused(404)
    rest.post(f"{path}/undo", If_Match='"1"').refused(412)
    assert rest.post(f"{path}/undo").ok()["content"] == "Ada likes tea"
    assert rest.post(f"{path}/undo", If_Match='"3"').ok()["content"] == "Ada likes coffee"
    events = rest.get(f"{path}/events", params={"limit": 2, "offset": 2}).ok()
    assert [event["event_type"] for event in events["events"]] == ["record_updated", "record_stored"]
    assert events["events"][0]["actor"] == "rest_caller"

    assert rest.delete(path).ok(204) is None
    rest.get(path).refused(404, "DOCUMENT_NOT_FOUND")
    rest.delete(path).refused(404)
    fresh = rest.post("/memory/records", {"content": "never changed", "agent_id": "hermes"}).ok(201)
    rest.post(f"/memory/records/{fresh['id']}/undo").refused(409)


def test_a_stale_etag_changes_nothing(rest: Rest) -> None:
    record = rest.post("/memory/records", {"content": "one", "agent_id": "a"}).ok(201)
    path = f"/memory/records/{record['id']}"
    rest.patch(path, {"tags": ["x"]}).ok()
    for tag in ('"1"', 'W/"1"', '"99"', '"nonsense"', '"1", "7"'):
        rest.patch(path, {"content": "two"}, If_Match=tag).refused(412, "CONFLICT")
        rest.delete(path, If_Match=tag).refused(412, "CONFLICT")
    assert rest.get(path).ok()["content"] == "one"
    rest.patch(path, {"content": "two"}, If_Match='"1", "2"').ok()
    rest.patch(path, {"tags": []}, If_Match="*").ok()
    assert rest.delete(path, If_Match='"4"').status == 204


def test_of_eight_writers_with_one_etag_one_wins(rest: Rest) -> None:
    record = rest.post("/memory/records", {"content": "start", "agent_id": "a"}).ok(201)

    def write(number: int) -> int:
        try:
            body = {"content": f"writer {number}"}
            return Rest({}, rest.workspace).patch(f"/memory/records/{record['id']}", body, If_Match='"1"').status
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        statuses = sorted(pool.map(write, range(8)))
    assert statuses == [200] + [412] * 7
    assert rest.get(f"/memory/records/{record['id']}").ok()["revision"] == 2


def test_filters_of_the_list(rest: Rest) -> None:
    def store(content: str, **fields: object) -> str:
        return rest.post("/memory/records", {"content": content, "agent_id": "a", **fields}).ok(201)["id"]

    plain = store("plain")
    tagged = store("tagged", tags=["x", "a,b"], kind="preference", source_type="chat")
    shared = store("shared", scope="global", tags=["x"])
    session = store("in session", scope="session", session_id="s/1")
    other = rest.post("/memory/records", {"content": "b's", "agent_id": "b"}).ok(201)["id"]

    def listed(**params: object) -> set[str]:
        return {record["id"] for record in rest.get("/memory/records", params=params).ok()["records"]}

    assert listed() == {plain, tagged, shared, session, other}
    assert listed(agent_id="a") == {plain, tagged, shared, session}
    assert listed(scope="global") == {shared}
    assert listed(tags="x") == {tagged, shared}
    assert listed(tags=["x", "a,b"]) == listed(**{"tags[]": ["x", "a,b"]}) == {tagged}
    assert listed(tags="a") == set()
    assert listed(kind_filter=["preference", "pinned"]) == {tagged}
    assert listed(source_type_filter="chat") == {tagged}
    assert listed(session_id="s/1") == {session}
    assert listed(status_filter="archived") == set()
    assert listed(as_of="2020-01-01T00:00:00Z") == set()
    first = rest.get("/memory/records", params={"limit": 2, "offset": 1}).ok()
    assert (first["count"], first["total"], first["limit"], first["offset"], first["has_more"]) == (2, 5, 2, 1, True)


def test_a_cursor_gives_each_record_once_while_others_insert(rest: Rest) -> None:
    for start in range(0, 1_137, 100):
        items = [{"content": f"fact number {n}"} for n in range(start, min(start + 100, 1_137))]
        rest.post("/memory/records/batch", {"agent_id": "a", "records": items}).ok()
    present = {record["content"] for page in pages(rest, limit=200) for record in page["records"]}
    assert len(present) == 1_137
    seen: list[str] = []
    for number, page in enumerate(pages(rest, limit=100)):
        seen += [record["id"] for record in page["records"]]
        assert page["total"] == 1_137 + number * 2
        assert page["total"] >= page["offset"] + page["count"]
        rest.post("/memory/records", {"content": f"new {number}", "agent_id": "a"}).ok(201)
        rest.post("/memory/records", {"content": f"newer {number}", "agent_id": "b"}).ok(201)
    assert len(seen) == len(set(seen)) == 1_137


def pages(rest: Rest, **params: object) -> Iterator[dict[str, Any]]:
    """Every page of the list, by cursor."""
    cursor: dict[str, str] = {}
    while True:
        page = rest.get("/memory/records", params=params | cursor).ok()
        yield page
        if page["cursor"] is None:
            return
        cursor = {"cursor": page["cursor"]}


def test_a_cursor_is_bound_to_its_list(rest: Rest) -> None:
    for number in range(3):
        rest.post("/memory/records", {"content": f"fact {number}", "agent_id": "a"}).ok(201)
    cursor = rest.get("/memory/records", params={"limit": 1}).ok()["cursor"]
    elsewhere = Rest({}, new_workspace())
    assert rest.get("/memory/records", params={"cursor": cursor, "limit": 5}).ok()["count"] == 2
    for caller, params in (
        (rest, {"cursor": cursor, "tags": "x"}),
        (rest, {"cursor": cursor, "offset": 1}),
        (rest, {"cursor": cursor[:-1] + ("A" if cursor[-1] != "A" else "B")}),
        (rest, {"cursor": "nonsense"}),
        (elsewhere, {"cursor": cursor}),
    ):
        assert caller.get("/memory/records", params=params).refused(422)["field"] == "cursor"


def test_batches_report_item_by_item(rest: Rest) -> None:
    reply = rest.post(
        "/memory/records/batch",
        {
            "agent_id": "a",
            "tags": ["inherited"],
            "records": [
                {"content": "one"},
                {"content": "one"},
                {"content": " "},
                {"content": "two", "agent_id": "b", "kind": "preference", "tags": ["own"]},
                {"content": "three", "colour": "red"},
                "four",
                {"content": "five", "ttl_expires_at": "2020-01-01T00:00:00Z"},
            ],
        },
    ).ok(207)
    assert (reply["stored"], reply["deduped"], reply["failed"]) == (2, 1, 4)
    errors = [result["error"] and result["error"]["field"] for result in reply["results"]]
    assert errors == [None, None, "content", None, "colour", "records", "ttl_expires_at"]
    of_b = rest.get("/memory/records", params={"agent_id": "b"}).ok()["records"]
    assert [(record["content"], record["kind"], record["tags"]) for record in of_b] == [("two", "preference", ["own"])]
    ids = [reply["results"][0]["id"], reply["results"][3]["id"]]
    gone = rest.post("/memory/records/batch-delete", {"record_ids": [*ids, "not-an-id"]}).ok(207)
    assert [result["deleted"] for result in gone["results"]] == [True, True, False]
    assert rest.get("/memory/records").ok()["total"] == 0
    rest.post("/memory/records/batch", {"agent_id": "a", "records": []}).refused(422)
    rest.post("/memory/records/batch", {"agent_id": "a", "records": [{"content": "x"}] * 101}).refused(422)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"agent_id": "a"}, "content"),
        ({"content": "x"}, "agent_id"),
        ({"content": "x", "agent_id": "not ok"}, "agent_id"),
        ({"content": 7, "agent_id": "a"}, "content"),
        ({"content": "a\0b", "agent_id": "a"}, "content"),
        ({"content": "a\ud800b", "agent_id": "a"}, "content"),
        ({"content": "x" * 32_769, "agent_id": "a"}, "content"),
        ({"content": "x", "agent_id": "a", "tags": "ab"}, "tags"),
        ({"content": "x", "agent_id": "a", "tags": ["a\0"]}, "tags"),
        ({"content": "x", "agent_id": "a", "importance_score": "0.5"}, "importance_score"),
        ({"content": "x", "agent_id": "a", "importance_score": True}, "importance_score"),
        ({"content": "x", "agent_id": "a", "colour": "red"}, "colour"),
        ({"content": "x", "agent_id": "a", "scope": "session"}, "session_id"),
        ({"content": "x", "agent_id": "a", "valid_until": "2020-01-01T00:00:00Z"}, "valid_until"),
        ({"content": "x", "agent_id": "a", "valid_until": "tomorrow"}, "valid_until"),
        ({"content": "x", "agent_id": "a", "metadata": []}, "metadata"),
        ({"content": "x", "agent_id": "a", "metadata": {"k": "\ud800"}}, "metadata"),
        ({"content": "x", "agent_id": "a", "metadata": {"k": "v" * 33_000}}, "metadata"),
        ([], "body"),
        ("text", "body"),
    ],
)
def test_a_bad_field_is_named(rest: Rest, body: object, field: str) -> None:
    assert rest.post("/memory/records", body).refused(422, "INVALID_PARAMS")["field"].startswith(field)
    assert rest.get("/memory/records").ok()["total"] == 0


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"limit": "0"}, "limit"),
        ({"limit": "201"}, "limit"),
        ({"limit": "x"}, "limit"),
        ({"limit": ["1", "2"]}, "limit"),
        ({"offset": "-1"}, "offset"),
        ({"scope": "everyone"}, "scope"),
        ({"status_filter": "gone"}, "status_filter"),
        ({"tags": "\0"}, "tags"),
        ({"source_type_filter": "\0"}, "source_type_filter"),
        ({"as_of": "yesterday"}, "as_of"),
        ({"as_of": "2026-01-01T00:00:00"}, "as_of"),
        ({"tag": "a"}, "tag"),
    ],
)
def test_a_bad_parameter_is_named(rest: Rest, params: dict[str, str], field: str) -> None:
    assert rest.get("/memory/records", params=params).refused(422)["field"].startswith(field)


def test_any_text_comes_back_as_it_was(rest: Rest) -> None:
    for content in ("日本語 👩‍👩‍👧 مرحبا", "a\r\n\tb ", "'; DROP TABLE x; --", "{}", "\u200b.", "x" * 32_768):
        stored = rest.post("/memory/records", {"content": content, "agent_id": "a"}).ok(201)
        assert rest.get(f"/memory/records/{stored['id']}").ok()["content"] == content
