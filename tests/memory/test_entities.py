"""Entities in the database: written with the record, gone with it, isolated, and what search makes of them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import psycopg
import pytest
from django.conf import LazySettings
from django.db import DatabaseError, connection, connections

from memory.models import Entity, EntityMention, MemoryRecord
from memory.search import search_records
from memory.search.request import search_request
from memory.search.service import scored_candidates
from memory.services import delete_record, store_batch, store_record, update_record
from memory.tasks import fold_lexicon, sweep_entities
from metronix.ports.embedder import get_embedder
from metronix.tenancy.context import tenant, workspaces_visible
from metronix.tenancy.principal import Principal
from tests.support.servers import TestServers


def names_of(principal: Principal, kinds: tuple[str, ...] = ("name",)) -> list[str]:
    with tenant(principal):
        found = Entity.objects.filter(workspace_id=principal.workspace_id, kind__in=kinds)
        return sorted(found.values_list("name", flat=True))


def test_a_store_links_an_update_relinks_a_delete_sweeps(owner: Principal) -> None:
    said = datetime(2023, 5, 8, 10, tzinfo=UTC)
    first = store_record(owner, content="We met Anna Smith in Lisbon yesterday.", created_at=said).record
    second = store_record(owner, content="Tell Bernd that Lisbon was fine.").record
    assert names_of(owner) == ["Anna Smith", "Bernd", "Lisbon"]
    assert {"2023-05-07", "2023-05-08"} < set(names_of(owner, ("date",)))
    update_record(owner, record_id=str(first.id), content="We met Carla in Lisbon.")
    assert names_of(owner) == ["Bernd", "Carla", "Lisbon"]
    delete_record(owner, record_id=str(second.id))
    assert names_of(owner) == ["Carla", "Lisbon"]
    delete_record(owner, record_id=str(first.id))
    assert names_of(owner, tuple(Entity._meta.get_field("kind").flatchoices[i][0] for i in range(9))) == []


def test_deleting_rows_in_any_way_leaves_no_name(owner: Principal, services: TestServers) -> None:
    store_batch(
        owner, items=[{"content": f"Person number {n} is called Otto Novak the {n}th in Lisbon."} for n in range(5)]
    )
    assert names_of(owner) == ["Lisbon", "Otto Novak"]
    with psycopg.connect(services.owner, autocommit=True) as admin:
        admin.execute("DELETE FROM memory_records WHERE workspace_id = %s", [owner.workspace_id])
    assert names_of(owner, ("name", "date")) == []


def test_stores_of_one_name_do_not_wait_for_each_other(owner: Principal) -> None:
    """One store is held open after it has mentioned Anna; another must not wait for its end."""
    store_record(owner, content="They know Anna already.")
    with tenant(owner):
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '2s'")
        record = MemoryRecord.objects.get(workspace_id=owner.workspace_id)
        from memory.entities import entities_of
        from memory.services.entities import link_entities

        link_entities([(record, entities_of("They know Anna already.", record.created_at.date()))])

        def other() -> None:
            try:
                store_record(owner, content="He asked Anna again.")
            finally:
                connections.close_all()

        with ThreadPoolExecutor(1) as pool:
            pool.submit(other).result(timeout=20)


def test_stores_and_deletes_of_one_name_at_once(owner: Principal) -> None:
    """The entity's last mention goes while another store mentions it: neither fails, and the graph is right."""

    def churn(worker: int) -> None:
        try:
            for step in range(12):
                record = store_record(owner, content=f"Worker {worker} saw Zoe Novak at step {step}.").record
                delete_record(owner, record_id=str(record.id))
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(churn, range(4)))
    sweep_entities()
    assert names_of(owner) == []
    store_record(owner, content="Then Zoe Novak left.")
    assert names_of(owner) == ["Zoe Novak"]


def test_a_stranger_sees_no_entity(owner: Principal, stranger: Principal) -> None:
    store_record(owner, content="We owe money to Anna Smith.")
    with tenant(stranger):
        assert not Entity.objects.filter(workspace_id=owner.workspace_id).exists()
        assert not EntityMention.objects.filter(workspace_id=owner.workspace_id).exists()
    with pytest.raises(DatabaseError) as refused, tenant(stranger), connection.cursor() as cursor:
        cursor.execute(
            "SELECT metronix_link_entities(%s, '{}', %s, '{name}', '{x}', '{X}', '{}', '{}')",
            [owner.workspace_id, ["00000000-0000-8000-8000-000000000001"]],
        )
    assert "row-level security" in str(refused.value)


@pytest.fixture
def talk(owner: Principal) -> Principal:
    """Two people talk on three days."""
    lines = [
        "Anna: I painted the fence today.",
        "Bernd: I cooked soup today.",
        "Anna: It was fun.",
        "Bernd: So it was.",
    ]
    for day in (3, 14, 25):
        said = datetime(2023, 5, day, 9, tzinfo=UTC)
        for line in lines:
            store_record(owner, content=f"{line} ({day})", session_id=f"day-{day}", created_at=said)
    fold_lexicon()
    return owner


def first(principal: Principal, query: str) -> str:
    return search_records(principal, query=query, top_k=3).hits[0].record.content


def test_dates_and_speakers_of_the_question_count(talk: Principal) -> None:
    assert first(talk, "What did Anna paint on 14 May 2023?") == "Anna: I painted the fence today. (14)"
    assert first(talk, "What did Anna paint on May 25?") == "Anna: I painted the fence today. (25)"
    assert first(talk, "what was cooked on 2023-05-03") == "Bernd: I cooked soup today. (3)"
    with tenant(talk):
        request = search_request(query="What did Anna do on 14 May 2023?", top_k=12, statuses=["active"])
        scored = scored_candidates(talk, request, get_embedder().embed_query(request.query))
    best = scored[0]
    assert best.entities.speaker == 1 and best.entities.date == 1
    assert best.candidate.by_entities
    assert best.graph_score == pytest.approx(min(1, best.neighbour_score + best.entities.score))
    assert all(0 <= part.entities.score <= 1 for part in scored)
    assert {part.entities.date for part in scored} == {0.0, 1.0}


def test_the_leg_can_be_switched_off(talk: Principal, settings: LazySettings) -> None:
    settings.METRONIX_SEARCH_ENTITIES = False
    with tenant(talk):
        request = search_request(query="What did Anna do on 14 May 2023?", top_k=12, statuses=["active"])
        scored = scored_candidates(talk, request, get_embedder().embed_query(request.query))
    assert all(part.entities.score == 0 and part.candidate.entities == () for part in scored)


def test_a_record_is_found_by_its_day_alone(owner: Principal) -> None:
    """No word and little meaning in common, two hundred others: the day proposes it."""
    store_batch(owner, items=[{"content": f"On the list of things to do is item {n}."} for n in range(100)])
    said = datetime(2021, 11, 2, tzinfo=UTC)
    store_record(owner, content="The cat was ill.", created_at=said)
    with workspaces_visible(owner.workspace_id):
        request = search_request(query="which thing is on the list for 2 November 2021", top_k=5, statuses=["active"])
        scored = scored_candidates(owner, request, None)
    assert any(part.candidate.by_entities and part.entities.date == 1 for part in scored)
