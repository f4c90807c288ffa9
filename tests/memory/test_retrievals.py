"""Retrievals: noted beside the search, written down by beat, shown on the record's page, never in the way."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import redis
from django.conf import settings
from django.db import OperationalError
from django.urls import reverse
from django.utils import timezone

from memory import retrievals
from memory.models import MemoryRecord, Retrieval
from memory.search import search_records
from memory.search.browsing import best_matches
from memory.services import delete_record, record_story, store_record
from memory.tasks import flush_retrievals
from metronix.celery_settings import CELERY_BEAT_SCHEDULE
from metronix.tenancy.context import tenant
from metronix.tenancy.principal import Door, Principal
from tests.support.admin import client_of, staff


@pytest.fixture(autouse=True)
def notes(monkeypatch: pytest.MonkeyPatch) -> Iterator[redis.Redis]:
    """No notes, a process on good terms with Redis, and nothing pruned unless a test asks."""
    monkeypatch.setattr(retrievals.Rest, "until", 0.0)
    client = redis.Redis.from_url(settings.REDIS_URL)
    client.delete(retrievals.NOTES)
    client.set(retrievals.PRUNED, 1)
    yield client
    client.delete(retrievals.NOTES)
    client.close()


def noted(client: redis.Redis) -> list[dict[str, Any]]:
    return [json.loads(entry) for entry in client.lrange(retrievals.NOTES, 0, -1)]


def rows(principal: Principal) -> list[Retrieval]:
    with tenant(principal):
        return list(Retrieval.objects.order_by("id"))


def current(principal: Principal, record: MemoryRecord) -> MemoryRecord:
    with tenant(principal):
        return MemoryRecord.objects.get(pk=record.pk)


def test_a_search_is_noted_and_written_down(owner: Principal, notes: redis.Redis) -> None:
    record = store_record(owner, content="The kettle is red.").record
    hit = search_records(owner, query="which colour has the kettle?").hits[0]
    assert len(noted(notes)) == 1
    assert rows(owner) == [] and current(owner, record).last_accessed_at is None
    assert flush_retrievals() == 1
    (row,) = rows(owner)
    assert (row.record_id, row.agent_id, row.principal, row.door) == (record.pk, "owner", "key:test", "mcp_caller")
    assert (row.query, row.rank) == ("which colour has the kettle?", 1)
    assert (row.score, row.vector, row.lexical) == pytest.approx(
        (hit.score, hit.vector_score, hit.lexical_score), abs=1e-4
    )
    assert timedelta() <= timezone.now() - row.created_at < timedelta(seconds=60)
    after = current(owner, record)
    assert after.last_accessed_at == row.created_at
    assert (after.revision, after.updated_at) == (record.revision, record.updated_at)
    assert flush_retrievals() == 0 and not notes.exists(retrievals.NOTES)
    assert "memory.tasks.flush_retrievals" in [entry["task"] for entry in CELERY_BEAT_SCHEDULE.values()]


def test_the_story_and_the_page_show_the_latest(owner: Principal, colleague: Principal) -> None:
    record = store_record(owner, content="The boiler hums.", scope="global").record
    search_records(owner, query="<script>alert(1)</script> boiler")
    search_records(colleague, query="who hums?")
    flush_retrievals()
    story = record_story(owner, record_id=record.pk)
    assert [one.query for one in story.retrievals] == ["who hums?", "<script>alert(1)</script> boiler"]
    operator = client_of(staff(owner.workspace_id))
    shown = operator.get(reverse("admin:memory_memoryrecord_change", args=[record.pk])).content.decode()
    assert "Retrievals" in shown and "who hums?" in shown and "no. 1, score" in shown
    assert f"as agent {owner.agent_id}" in shown and f"as agent {colleague.agent_id}" in shown
    assert "<script>alert(1)" not in shown and "&lt;script&gt;alert(1)" in shown


def test_only_the_latest_are_shown(owner: Principal) -> None:
    record = store_record(owner, content="Often asked for.").record
    for number in range(22):
        search_records(owner, query=f"asked for {number}")
    flush_retrievals()
    shown = [one.query for one in record_story(owner, record_id=record.pk).retrievals]
    assert shown == [f"asked for {number}" for number in range(21, 1, -1)]


def test_the_past_operators_and_fruitless_searches_are_not_noted(
    owner: Principal, notes: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    search_records(owner, query="nothing is here yet")
    store_record(owner, content="A lamp.")
    assert search_records(owner, query="lamp", as_of=timezone.now()).hits
    assert best_matches(replace(owner, door=Door.ADMIN), query="lamp").hits
    monkeypatch.setattr(settings, "METRONIX_RETRIEVAL_DAYS", 0)
    assert search_records(owner, query="lamp").hits
    assert noted(notes) == []


def test_other_workspaces_see_nothing(owner: Principal, stranger: Principal) -> None:
    store_record(owner, content="Ours alone.")
    store_record(stranger, content="Theirs alone.")
    search_records(owner, query="ours alone")
    search_records(stranger, query="theirs alone")
    assert flush_retrievals() == 2
    assert [row.query for row in rows(owner)] == ["ours alone"]
    assert [row.query for row in rows(stranger)] == ["theirs alone"]
    assert Retrieval.objects.count() == 0


def test_a_deleted_record_takes_its_rows_and_its_notes_along(owner: Principal, notes: redis.Redis) -> None:
    first, second = (store_record(owner, content=text).record for text in ("One teapot.", "Two teapots."))
    search_records(owner, query="teapot")
    assert flush_retrievals() == 2
    search_records(owner, query="teapot again")
    delete_record(owner, record_id=str(first.pk))
    assert {row.record_id for row in rows(owner)} == {second.pk}
    assert flush_retrievals() == 1
    assert [row.record_id for row in rows(owner)] == [second.pk, second.pk]
    assert noted(notes) == []


def test_notes_of_a_workspace_that_is_gone_or_refused_are_dropped(owner: Principal, notes: redis.Redis) -> None:
    store_record(owner, content="A spoon.")
    search_records(owner, query="spoon")
    (note,) = noted(notes)
    notes.lpush(retrievals.NOTES, json.dumps(note | {"workspace": "never_was"}))
    notes.lpush(retrievals.NOTES, "no JSON", json.dumps({"of": "another form"}), "[]")
    assert flush_retrievals() == 1
    assert [row.query for row in rows(owner)] == ["spoon"] and noted(notes) == []


def test_time_never_goes_back(owner: Principal, notes: redis.Redis) -> None:
    record = store_record(owner, content="A fork.").record
    search_records(owner, query="fork")
    (note,) = noted(notes)
    flush_retrievals()
    before = current(owner, record).last_accessed_at
    notes.rpush(retrievals.NOTES, json.dumps(note | {"at": note["at"] - 500}))
    assert flush_retrievals() == 1
    assert current(owner, record).last_accessed_at == before


def test_without_redis_searches_go_on_and_are_not_slowed(owner: Principal, monkeypatch: pytest.MonkeyPatch) -> None:
    store_record(owner, content="A knife.")
    gone = redis.Redis(host="127.0.0.1", port=1, socket_timeout=0.1, socket_connect_timeout=0.1)
    monkeypatch.setattr(retrievals, "_client", lambda: gone)
    assert search_records(owner, query="knife").hits
    assert retrievals.Rest.until > time.monotonic()
    monkeypatch.setattr(retrievals, "_client", lambda: pytest.fail("Redis is left alone for a while"))
    assert search_records(owner, query="knife").hits
    monkeypatch.setattr(retrievals, "_client", lambda: gone)
    assert flush_retrievals() == 0


def test_what_the_database_cannot_take_is_put_back_in_order(
    owner: Principal, stranger: Principal, notes: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_record(owner, content="A plate.")
    store_record(stranger, content="A plate.")
    search_records(stranger, query="their plate")
    for query in ("first plate", "second plate"):
        search_records(owner, query=query)
    insert = retrievals._insert

    def away_for_one(workspace_id: str, rows: Any) -> int:
        if workspace_id == owner.workspace_id:
            raise OperationalError("away")
        return insert(workspace_id, rows)

    monkeypatch.setattr(retrievals, "_insert", away_for_one)
    with pytest.raises(OperationalError):
        flush_retrievals()
    assert [note["query"] for note in noted(notes)] == ["first plate", "second plate"]
    monkeypatch.setattr(retrievals, "_insert", insert)
    assert flush_retrievals() == 2
    assert [row.query for row in rows(owner)] == ["first plate", "second plate"]
    assert [row.query for row in rows(stranger)] == ["their plate"]


def test_the_list_is_bounded(owner: Principal, notes: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrievals, "MOST_NOTES", 2)
    store_record(owner, content="A cup.")
    for query in ("cup one", "cup two", "cup three"):
        search_records(owner, query=query)
    assert [note["query"] for note in noted(notes)] == ["cup two", "cup three"]


def test_old_rows_are_removed_once_in_a_while(
    owner: Principal, notes: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "METRONIX_RETRIEVAL_DAYS", 7)
    store_record(owner, content="A bowl.")
    search_records(owner, query="old bowl")
    search_records(owner, query="new bowl")
    flush_retrievals()
    with tenant(owner):
        Retrieval.objects.filter(query="old bowl").update(created_at=timezone.now() - timedelta(days=8))
    flush_retrievals()
    assert len(rows(owner)) == 2, "pruned within the hour"
    notes.delete(retrievals.PRUNED)
    flush_retrievals()
    assert [row.query for row in rows(owner)] == ["new bowl"]
    assert 0 < notes.ttl(retrievals.PRUNED) <= retrievals.PRUNE_SECONDS
