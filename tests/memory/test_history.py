"""Versions, undo, events, sessions, and answers as of then."""

from __future__ import annotations

from itertools import pairwise

import pytest
from django.utils import timezone

from memory.models import MachineEvent, MemoryRecord
from memory.search import search_records
from memory.services import (
    ListFilters,
    Position,
    delete_record,
    end_session,
    facets,
    get_version,
    list_all,
    promote_records,
    record_events,
    record_history,
    start_session,
    store_batch,
    store_record,
    undo_update,
    update_record,
)
from memory.services.lifecycle import change_status
from memory.vocabulary import Status
from metronix.errors import Conflict, InvalidParams, NotFound
from metronix.tenancy.context import tenant
from metronix.tenancy.principal import Principal


def test_history_keeps_every_content_and_undo_adds_one(owner: Principal, stranger: Principal) -> None:
    record = store_record(owner, content="autocommit = false").record
    record_id = str(record.id)
    update_record(owner, record_id=record_id, content="autocommit removed")
    assert [entry.content for entry in record_history(owner, record_id=record_id)] == [
        "autocommit = false",
        "autocommit removed",
    ]
    undone = undo_update(owner, record_id=record_id)
    assert undone.content == "autocommit = false"
    history = record_history(owner, record_id=record_id)
    assert [entry.content for entry in history] == ["autocommit = false", "autocommit removed", "autocommit = false"]
    assert [entry.number for entry in history] == [1, 2, 3]
    assert all(earlier.valid_to == later.valid_from for earlier, later in pairwise(history))
    assert get_version(owner, version_id=str(history[1].id)).content == "autocommit removed"
    with pytest.raises(NotFound):
        get_version(stranger, version_id=str(history[1].id))
    assert [event.event_type for event in record_events(owner, record_id=record_id).events] == [
        "record_updated",
        "record_updated",
        "record_stored",
    ]


def test_undo_without_a_former_content_is_a_conflict(owner: Principal) -> None:
    record = store_record(owner, content="never changed").record
    with pytest.raises(Conflict):
        undo_update(owner, record_id=str(record.id))


def test_two_writers_with_one_revision(owner: Principal) -> None:
    record = store_record(owner, content="first").record
    update_record(owner, record_id=str(record.id), tags=["x"], expected_revision=1)
    with pytest.raises(Conflict) as caught:
        update_record(owner, record_id=str(record.id), tags=["y"], expected_revision=1)
    assert caught.value.details == {"revision": 2}


def test_as_of_answers_from_then(owner: Principal) -> None:
    before = timezone.now()
    record = store_record(owner, content="the server listens on port 8080").record
    kept = store_record(owner, content="the cat sleeps").record
    first = timezone.now()
    update_record(owner, record_id=str(record.id), content="the server listens on port 9090")
    with tenant(owner):
        change_status(owner, MemoryRecord.objects.get(id=kept.id), Status.ARCHIVED)
    second = timezone.now()

    def then(moment: object) -> list[str]:
        hits = search_records(owner, query="which port does the server listen on", as_of=moment, top_k=5).hits
        listed = list_all(owner, filters=ListFilters(as_of=moment), limit=10).records
        assert {hit.record.content for hit in hits} == {entry.content for entry in listed}
        assert all(entry.status == "active" for entry in listed)
        return [hit.record.content for hit in hits]

    assert then(before) == []
    assert then(first) == ["the server listens on port 8080", "the cat sleeps"]
    assert then(second) == ["the server listens on port 9090"]
    with pytest.raises(InvalidParams):
        search_records(owner, query="x", as_of=first.replace(tzinfo=None))


def test_what_was_put_away_then_is_seen_by_its_status(owner: Principal) -> None:
    record = store_record(owner, content="the old timetable", ttl_seconds=3600).record
    with tenant(owner):
        stored = MemoryRecord.objects.get(id=record.id)
        change_status(owner, stored, Status.ARCHIVED)
        MemoryRecord.objects.filter(id=record.id).update(ttl_expires_at=stored.created_at)
    filters = ListFilters(status=["archived"], as_of=timezone.now())
    assert [entry.id for entry in list_all(owner, filters=filters, limit=5).records] == [record.id]


def test_restoring_lifts_a_past_expiry(owner: Principal) -> None:
    from memory.services.status import set_status

    record = store_record(owner, content="gone too early", ttl_seconds=3600).record
    with tenant(owner):
        stored = MemoryRecord.objects.get(id=record.id)
        change_status(owner, stored, Status.ARCHIVED)
        MemoryRecord.objects.filter(id=record.id).update(ttl_expires_at=stored.created_at)
    set_status(owner, record_id=str(record.id), status=Status.ACTIVE)
    assert [hit.record.id for hit in search_records(owner, query="gone too early").hits] == [record.id]


def test_as_of_says_so_beyond_its_limit(owner: Principal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.as_of.MOST_VERSIONS", 1)
    record = store_record(owner, content="a").record
    for text in ("b", "c"):
        update_record(owner, record_id=str(record.id), content=text)
    with pytest.raises(InvalidParams, match="more"):
        list_all(owner, filters=ListFilters(as_of=timezone.now()), limit=10)


def test_deep_reading_gives_each_record_once_while_others_insert(owner: Principal) -> None:
    for start in range(0, 300, 100):
        store_batch(owner, items=[{"content": f"row {n}"} for n in range(start, start + 100)])
    seen: list[str] = []
    after = None
    while True:
        page = list_all(owner, filters=ListFilters(), limit=37, after=after)
        if not page.records:
            break
        seen += [record.content for record in page.records]
        after = Position(page.records[-1].created_at, page.records[-1].id)
        store_record(owner, content=f"meanwhile {len(seen)}")
    assert len(seen) == len(set(seen)) == 300


def test_sessions_open_end_and_promote(owner: Principal, colleague: Principal) -> None:
    session = start_session(owner, project="apollo", metadata={"k": 1})
    with pytest.raises(Conflict):
        start_session(owner, session_id=session.key)
    note = store_record(owner, content="kept", scope="session", session_id=session.key).record
    store_record(owner, content="let go", scope="session", session_id=session.key)
    assert note.ttl_expires_at is not None
    with pytest.raises(InvalidParams):
        delete_record(owner, record_id=str(note.id))
    with pytest.raises(NotFound):
        end_session(colleague, session_id=session.key)
    with pytest.raises(InvalidParams):
        promote_records(owner, session_id=session.key, record_ids=["00000000-0000-4000-8000-000000000000"])
    ended, promoted = end_session(owner, session_id=session.key, promote=[str(note.id)])
    assert [(promotion.record.content, promotion.deduped) for promotion in promoted] == [("kept", False)]
    again, repeated = end_session(owner, session_id=session.key, promote=[str(note.id)])
    assert again.ended_at == ended.ended_at
    assert [(promotion.record.id, promotion.deduped) for promotion in repeated] == [(note.id, False)]
    with pytest.raises(NotFound):
        end_session(owner, session_id="a\0b")
    assert [hit.record.content for hit in search_records(owner, query="kept").hits] == ["kept"]
    with tenant(owner):
        ends = MachineEvent.objects.filter(workspace_id=owner.workspace_id, event_type="session_ended")
        assert ends.count() == 1


def test_promotion_meets_what_is_known(owner: Principal) -> None:
    known = store_record(owner, content="said before").record
    note = store_record(owner, content="said before", scope="session", session_id="s").record
    (promotion,) = promote_records(owner, session_id="s", record_ids=[str(note.id)])
    assert promotion.deduped and promotion.record.id == known.id


def test_facets_count_what_is_within_reach(owner: Principal, colleague: Principal) -> None:
    store_record(owner, content="a", tags=["x", "y"], kind="preference")
    store_record(owner, content="b", tags=["x"])
    store_record(colleague, content="c", tags=["z"])
    found = facets(owner)
    assert found.tags == {"x": 2, "y": 1}
    assert found.kinds == {"fact": 1, "preference": 1}


def test_moves_not_in_the_table_are_refused(owner: Principal) -> None:
    record = store_record(owner, content="a").record
    with tenant(owner):
        change_status(owner, record, Status.ARCHIVED)
        with pytest.raises(Conflict):
            change_status(owner, record, Status.STALE)
        change_status(owner, record, Status.ACTIVE)
