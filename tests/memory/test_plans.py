"""How PostgreSQL finds the candidates, asked under the application's role in a workspace of 60,000 records."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import numpy as np
import psycopg
import pytest
from django.db import connection
from pgvector import SparseVector

from memory.entities import EntityKind, entity_id
from memory.search import search_records
from memory.search.candidates import ENTITY_DEPTH, Candidate, find_candidates, lexical_query
from memory.search.entity_leg import asked_entities
from memory.search.request import search_request
from memory.services import store_record
from memory.services.embeddings import current_model
from memory.terms.lexical import DIMENSIONS, element, term_id
from metronix.ports.embedder import get_embedder
from metronix.tenancy.context import tenant
from metronix.tenancy.principal import Principal
from tests.support.people import model_principal, new_workspace
from tests.support.servers import TestServers

COUNT = 60_000
QUERY = "the harvest festival in the old town"
HNSW = "memory_embeddings_hnsw_1"


def fill(dsn: str, principal: Principal) -> None:
    """60,000 records of one agent whose vectors lie around the query's; every 100th has the word "festival"."""
    rng = np.random.default_rng(7)
    centre = get_embedder().embed_query(QUERY)
    vectors = centre + rng.normal(0, 0.01, (COUNT, centre.size))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    common, rare = (term_id(principal.workspace_id, word) for word in ("old", "festiv"))
    with psycopg.connect(dsn) as admin, admin.cursor() as cursor:
        index = cursor.execute("SELECT indexdef FROM pg_indexes WHERE indexname = %s", [HNSW]).fetchone()
        assert index is not None
        cursor.execute(f"DROP INDEX {HNSW}")
        cursor.execute(
            """
            INSERT INTO memory_sessions (id, workspace_id, agent_id, key, project, metadata, next_position)
            SELECT gen_random_uuid(), %s, %s, 'talk ' || n, '', '{}', 1000 FROM generate_series(0, 99) n RETURNING id
            """,
            [principal.workspace_id, principal.agent_id],
        )
        sessions = [row[0] for row in cursor.fetchall()]
        cursor.execute(
            """
            INSERT INTO memory_records (
                id, workspace_id, agent_id, scope, kind, category, project, source_type, content, tags,
                importance_score, metadata, content_hash, simhash, term_ids, term_count, embedding_status, status,
                verification_state, freshness_score, evidence_count, source_agent, principal, provenance_origin,
                grounding, confidence, revision, version, session_id, session_key, position, term_weights)
            SELECT gen_random_uuid(), %s, %s, 'per_agent', 'fact', 'context_note', '', '', 'near ' || n, '{}', 0.5,
                '{}', md5(n::text), 0, CASE WHEN n %% 100 = 0 THEN ARRAY[%s, %s] ELSE ARRAY[%s] END, 2, 'ready',
                'active', '', 1, 0, '', '', 'internal', 'observed', 0.5, 1, 1,
                (%s::uuid[])[n %% 100 + 1], 'talk ' || n %% 100, n / 100,
                (CASE WHEN n %% 100 = 0 THEN %s ELSE %s END)::sparsevec
            FROM generate_series(1, %s) n RETURNING id
            """,
            [
                principal.workspace_id,
                principal.agent_id,
                common,
                rare,
                common,
                sessions,
                weights(common, rare),
                weights(common),
                COUNT,
            ],
        )
        ids = [row[0] for row in cursor.fetchall()]
        cursor.execute("INSERT INTO lexicon_totals VALUES (%s, %s, %s)", [principal.workspace_id, COUNT, 2 * COUNT])
        cursor.execute(
            "INSERT INTO lexicon_terms (workspace_id, term_id, documents) VALUES (%s, %s, %s), (%s, %s, %s)",
            [principal.workspace_id, common, COUNT, principal.workspace_id, rare, COUNT // 100],
        )
        name_entities(cursor, principal.workspace_id, ids)
        with cursor.copy(
            'COPY memory_embeddings (workspace_id, record_id, model_id, "window", embedding) FROM STDIN'
        ) as copy:
            for record_id, vector in zip(ids, vectors, strict=True):
                copy.write_row((principal.workspace_id, record_id, 1, 0, str([round(float(x), 5) for x in vector])))
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET maintenance_work_mem = '512MB'")
        cursor.execute(index[0])
        cursor.execute("ANALYZE memory_records")
        cursor.execute("ANALYZE memory_embeddings")
        cursor.execute("ANALYZE entity_mentions")


def weights(*terms: int) -> str:
    """The sparse vector of a row with these terms, once each."""
    return SparseVector({element(term, 1): 1.0 for term in terms}, DIMENSIONS).to_text()


def name_entities(cursor: psycopg.Cursor[Any], workspace_id: str, ids: list[uuid.UUID]) -> None:
    """Everyone is said by Anna; every 300th names Lisbon."""
    for kind, key, named in ((EntityKind.SPEAKER, "anna", ids), (EntityKind.NAME, "lisbon", ids[::300])):
        number = entity_id(workspace_id, kind, key)
        cursor.execute(
            "INSERT INTO entities (id, workspace_id, kind, key, name) VALUES (%s, %s, %s, %s, %s)",
            [number, workspace_id, kind.value, key, key],
        )
        cursor.execute(
            "INSERT INTO entity_mentions (workspace_id, entity_id, record_id) SELECT %s, %s, unnest(%s::uuid[])",
            [workspace_id, number, named],
        )


pytestmark = pytest.mark.timeout(900)  # 60,000 vectors are indexed first


@pytest.fixture(scope="module")
def crowd(services: TestServers) -> Iterator[Principal]:
    """The agent of the 60,000 records."""
    principal = model_principal(new_workspace("crowd"), "crowd")
    fill(services.owner, principal)
    yield principal
    with psycopg.connect(services.owner, autocommit=True) as admin:
        admin.execute("DELETE FROM memory_records WHERE workspace_id = %s", [principal.workspace_id])


def scans(*indexes: str) -> list[int]:
    """How often each index was used in this transaction so far."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_stat_get_xact_numscans(to_regclass(name)) FROM unnest(%s::text[]) AS name", [list(indexes)]
        )
        return [row[0] for row in cursor.fetchall()]


def candidates(principal: Principal, query: str) -> list[Candidate]:
    request = search_request(query=query, top_k=10, statuses=["active"])
    vector = get_embedder().embed_query(query)
    asked = [one.id for one in asked_entities(principal.workspace_id, query)]
    return find_candidates(principal, request, lexical_query(principal, query), vector, current_model(), asked)


def test_each_leg_uses_its_index(crowd: Principal) -> None:
    with tenant(crowd):
        assert len(candidates(crowd, QUERY)) > 45
        # The legs, then the neighbours in the sessions, then the vectors of all candidates.
        used = scans(HNSW, "memory_by_term", "memory_by_session", "one_embedding_per_window_and_model")
        assert all(number >= 1 for number in used), used
        # Never the whole table.
        assert scans("memory_records") == [0]


def test_the_entity_leg_uses_its_indexes_and_stays_small(crowd: Principal) -> None:
    with tenant(crowd):
        found = candidates(crowd, "the harvest festival in Lisbon that Anna spoke of")
        assert sum(one.by_entities for one in found) == ENTITY_DEPTH
        assert len(found) <= 300
        # A few for each word that may be a name, and for each candidate one for each of the two that are.
        assert 0 < sum(scans("mentions_by_entity", "one_mention_per_record")) <= 100 + 3 * len(found)
        assert scans("entity_mentions", "memory_records") == [0, 0]
        # Anna, whom all records share, counts without proposing anyone.
        assert all(one.entities for one in found)


def test_ten_far_records_behind_sixty_thousand_near_ones(crowd: Principal) -> None:
    colleague = model_principal(crowd.workspace_id, "colleague")
    for number in range(10):
        store_record(colleague, content=f"Invoice {number} was paid by bank transfer in March.")
    with tenant(colleague), connection.cursor() as cursor:
        # Every other way to the nearest rows is taken from the planner.
        for way in ("sort", "seqscan", "bitmapscan", "hashjoin", "mergejoin"):
            cursor.execute(f"SET LOCAL enable_{way} = off")
        assert len(candidates(colleague, QUERY)) == 10
        assert scans(HNSW)[0] >= 1
    assert len(search_records(colleague, query=QUERY, top_k=10).hits) == 10
