"""Storing, deduplicating, listing, updating, deleting."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections

from memory.models import Embedding, MachineEvent, MemoryRecord, RecordVersion
from memory.search import search_records
from memory.services import delete_record, list_records, store_batch, store_record, update_record
from metronix.errors import Conflict, Forbidden, InvalidParams, NotFound
from metronix.tenancy.context import tenant
from metronix.tenancy.principal import Principal, Role
from tests.support.people import model_principal


def test_a_stored_record_is_found(owner: Principal) -> None:
    stored = store_record(owner, content="The staging database listens on port 5433.", tags=["infra"])
    assert not stored.deduped
    hits = search_records(owner, query="which port does the staging database use?").hits
    assert [hit.record.id for hit in hits] == [stored.record.id]
    assert hits[0].record.embedding_status == "ready"
    assert 0 < hits[0].score <= 1


def test_the_same_content_is_stored_once(owner: Principal, colleague: Principal) -> None:
    first = store_record(owner, content="Café opens at nine")
    again = store_record(owner, content="  Cafe\u0301 opens at nine \n")
    assert again.deduped and again.record.id == first.record.id
    assert not store_record(colleague, content="Café opens at nine").deduped
    assert not store_record(owner, content="Café opens at nine", scope="global").deduped


def test_twenty_identical_stores_at_once_make_one_row(owner: Principal) -> None:
    def store(_: int) -> tuple[str, bool]:
        try:
            outcome = store_record(owner, content="Twenty clients say the same thing.")
            return str(outcome.record.id), outcome.deduped
        finally:
            connections.close_all()

    with ThreadPoolExecutor(20) as pool:
        outcomes = list(pool.map(store, range(20)))
    assert len({record_id for record_id, _ in outcomes}) == 1
    assert sorted(deduped for _, deduped in outcomes) == [False] + [True] * 19
    assert list_records(owner).total == 1


def test_update_keeps_what_it_does_not_name(owner: Principal) -> None:
    record = store_record(owner, content="old text", tags=["a"], importance_score=0.9, metadata={"k": 1}).record
    outcome = update_record(owner, record_id=str(record.id), content="new text")
    assert outcome.updated_fields == ["content"]
    assert (outcome.record.tags, outcome.record.importance_score, outcome.record.metadata) == (["a"], 0.9, {"k": 1})
    assert outcome.record.revision == 2
    with tenant(owner):
        (version,) = RecordVersion.objects.filter(record_id=record.id)
        assert version.content == "old text"
        embeddings = Embedding.objects.filter(record_id=record.id)
        assert sorted(embeddings.values_list("version__number", flat=True), key=str) == [1, None]
    assert search_records(owner, query="new text").hits[0].record.id == record.id


def test_update_to_anothers_content_is_a_conflict_that_names_it(owner: Principal) -> None:
    first = store_record(owner, content="one").record
    second = store_record(owner, content="two").record
    with pytest.raises(Conflict) as caught:
        update_record(owner, record_id=str(second.id), content=" one ")
    assert caught.value.details["record_id"] == str(first.id)


def test_delete_leaves_the_bare_id_alone(owner: Principal) -> None:
    record = store_record(owner, content="a secret about zanzibar", tags=["hush"]).record
    update_record(owner, record_id=str(record.id), content="a later secret about zanzibar")
    assert delete_record(owner, record_id=str(record.id)) is True
    assert delete_record(owner, record_id=str(record.id)) is False
    with tenant(owner):
        assert not MemoryRecord.objects.filter(id=record.id).exists()
        assert not RecordVersion.objects.filter(record_id=record.id).exists()
        assert not Embedding.objects.filter(record_id=record.id).exists()
        events = MachineEvent.objects.filter(record_id=record.id)
        assert {event.event_type for event in events} == {"record_stored", "record_updated", "record_deleted"}
        assert "zanzibar" not in str([event.data for event in events])
    assert not store_record(owner, content="a secret about zanzibar").deduped


def test_a_stranger_reaches_nothing(owner: Principal, colleague: Principal, stranger: Principal) -> None:
    record = store_record(owner, content="private to the owner").record
    for other in (colleague, stranger):
        assert search_records(other, query="private to the owner", status=["all"]).hits == []
        assert delete_record(other, record_id=str(record.id)) is False
        with pytest.raises(NotFound):
            update_record(other, record_id=str(record.id), content="taken over")
    assert list_records(owner).records[0].content == "private to the owner"


def test_a_viewer_writes_nothing(workspace: str) -> None:
    viewer = model_principal(workspace, "owner", role=Role.VIEWER)
    with pytest.raises(Forbidden):
        store_record(viewer, content="x")
    with pytest.raises(Forbidden):
        delete_record(viewer, record_id="00000000-0000-4000-8000-000000000000")


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"content": ""}, "content"),
        ({"content": " \n\t"}, "content"),
        ({"content": "a\0b"}, "content"),
        ({"content": "a\ud800b"}, "content"),
        ({"content": "x" * 32_769}, "content"),
        ({"content": "x", "scope": "everyone"}, "scope"),
        ({"content": "x", "scope": "session"}, "session_id"),
        ({"content": "x", "tags": "ab"}, "tags"),
        ({"content": "x", "tags": ["t" * 65]}, "tags"),
        ({"content": "x", "tags": [str(i) for i in range(33)]}, "tags"),
        ({"content": "x", "importance_score": 1.01}, "importance_score"),
        ({"content": "x", "ttl_seconds": 0}, "ttl_seconds"),
        ({"content": "x", "metadata": {"k": "v" * 33_000}}, "metadata"),
        ({"content": "x", "metadata": {"k": "\0"}}, "metadata"),
        ({"content": "x", "metadata": {"k": float("nan")}}, "metadata"),
    ],
)
def test_a_bad_field_is_named_and_stores_nothing(owner: Principal, given: dict[str, object], field: str) -> None:
    with pytest.raises(InvalidParams) as caught:
        store_record(owner, **given)
    assert caught.value.details["field"] == field
    assert list_records(owner, status=["all"]).total == 0


def test_a_batch_reports_item_by_item(owner: Principal) -> None:
    progress: list[tuple[int, int]] = []
    items = [{"content": f"fact number {n}"} for n in range(40)]
    items[3] = {"content": "fact number 2"}
    items[5] = {"content": " "}
    items[7] = {"content": "x", "colour": "red"}
    outcomes = store_batch(owner, items=items, on_progress=lambda done, total: progress.append((done, total)))
    assert [bool(outcome.error) for outcome in outcomes] == [n in (5, 7) for n in range(40)]
    assert outcomes[3].deduped and outcomes[3].record is not None and outcomes[2].record is not None
    assert outcomes[3].record.id == outcomes[2].record.id
    assert progress[-1] == (40, 40)
    assert list_records(owner).total == 37
