"""Terms of texts and queries: what must find what, and what must not."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.terms.analysis import MAX_DISTINCT_TERMS, query_terms, terms
from memory.terms.stemming import stem
from memory.terms.stopwords import STOPWORDS


def matches(query: str, text: str) -> bool:
    return not terms(text).keys().isdisjoint(query_terms(query))


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("MTRNIX-303", "fixed in MTRNIX-303, see notes"),
        ("mtrnix-303?", "MTRNIX-303"),
        ("snake_case", "the snake_case name"),
        ("gpt-4o", "We use gpt-4o."),
        ("GOALS.md", "read goals.md first"),
        ("a:b", "the key a:b is set"),
        ("10.0.0.1", "host 10.0.0.1:8080"),
        ("foo@bar.com", "write to <foo@bar.com>."),
        ("https://x.io/a/b?q=1", "(https://x.io/a/b?q=1)"),
        ("C++", "written in C++, not C"),
        ("#tag", "#tag and others"),
        ("@handle", "ask @handle"),
        ("getUserName", "call getusername()"),
        ("user name", "getUserName"),
        ("10000", "it cost 10,000 euros"),
        ('"hi', "he said hi"),
        ("foo AND bar", "only bar"),
        ("(x", "f(x)"),
        ("NEAR", "near the sea"),
        ("*^", "the operator *^ is odd"),
        ("Caroline", "Caroline's dog"),
        ("carolines’s", "Carolines"),
        ("running dogs", "a dog runs"),
        ("Muller", "Frau Müller"),
        ("Müller", "Frau Muller"),
        ("Müller", "Frau Mu\u0308ller"),
        ("STRASSE", "die Straße"),
        ("Łódź", "lodz"),
        ("Сергей", "Сергей живёт в Казани"),
        ("живет", "Сергей живёт в Казани"),
        ("казань", "Сергей живёт в Казани"),
        ("柏林", "我住在柏林"),
        ("柏", "我住在柏林"),
        ("ベルリン", "私はベルリンに住んでいます"),
        ("서울", "나는 서울에 산다"),
        ("ภาษา", "ฉันพูดภาษาไทย"),
        ("हिन्दी", "मैं हिन्दी बोलता हूँ"),
        ("كتاب", "هذا كِتَابٌ"),
        ("שלום", "שָׁלוֹם עולם"),
        ("👍", "well done 👍🏽"),
        ("❤", "I ❤️ it"),
        ("to be or not to be", "To be, or not to be"),
        ("The Who", "who are you"),
        ("ｆｕｌｌ", "full width"),
        ("l'amour", "l’amour"),
    ],
)
def test_finds(query: str, text: str) -> None:
    assert matches(query, text)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("我住在柏林", "他在北京工作"),  # shares one character only
        ("Сергей живёт в Казани", "Анна работает в Москве"),  # shares "в" only
        ("What did the cat do?", "What did the dog do?"),
        ("MTRNIX-303", "the year 3033"),
        ("unrelated", "text"),
        ("", "text"),
        (" \n", "text"),
        ("...", "wait... what"),
    ],
)
def test_does_not_find(query: str, text: str) -> None:
    assert not matches(query, text)


def test_whole_identifiers_and_their_parts() -> None:
    assert terms("MTRNIX-303") == {"mtrnix-303": 1, "mtrnix": 1, "303": 1}
    assert set(terms("C++ and c")) == {"c++", "c", "and"}
    assert terms("The the THE") == {"the": 3}
    assert terms("don't") == {"not": 1, "do": 1}


def test_function_words_are_dropped_from_queries_only() -> None:
    assert query_terms("When did Caroline go to the museum?") == ["carolin", "go", "museum"]
    assert "the" in terms("the museum")
    assert query_terms("who is it") == ["who", "is", "it"]


def test_capital_inside_a_sentence_is_a_name() -> None:
    assert "may" in query_terms("What happened in May 2023?")
    assert "will" in query_terms("Did Will call?")
    assert "it" in query_terms("Who works in IT?")
    assert "will" not in query_terms("Will it rain?")
    assert query_terms("WHERE IS THE CAT") == ["cat"]
    assert query_terms("What am I, a fool?") == ["fool"]


def test_a_query_of_unspaced_script_gives_pairs() -> None:
    assert query_terms("柏林") == ["柏林"]
    assert set(terms("柏林")) == {"柏", "林", "柏林"}


def test_other_languages_than_the_configured() -> None:
    assert terms("Häuser", "german") == terms("Haus", "german")
    assert terms("книгами", "english") == terms("книга", "english")
    with pytest.raises(ValueError, match="klingon"):
        terms("text", "klingon")


def test_stop_lists_hold_folded_words() -> None:
    for name, words in STOPWORDS.items():
        assert words
        for word in words:
            assert list(terms(word, "english"))[0:1], (name, word)
            assert word == word.casefold()


@given(st.text(max_size=400))
@settings(max_examples=500, deadline=None)
def test_any_text_is_accepted_and_deterministic(text: str) -> None:
    counts = terms(text)
    assert counts == terms(text)
    assert all(term and not term.isspace() and tf > 0 for term, tf in counts.items())
    assert len(set(query_terms(text))) == len(query_terms(text))


@given(st.text(min_size=1, max_size=60))
@settings(max_examples=500, deadline=None)
def test_whatever_a_query_asks_for_is_in_the_same_text(text: str) -> None:
    assert set(query_terms(text)) <= set(terms(text))


@given(st.characters(categories=["L", "N", "So"]))
@settings(max_examples=500, deadline=None)
def test_any_letter_digit_or_symbol_finds_itself(char: str) -> None:
    assert matches(char, char)
    assert matches(char, f"before {char} after")


def test_long_texts_are_capped_and_quick() -> None:
    words = " ".join(f"w{i:x}" for i in range(40_000))
    began = time.perf_counter()
    assert len(terms(words)) == MAX_DISTINCT_TERMS
    for text in ("a" * 32_768, "a." * 16_384, "'" * 32_768, "a_" * 16_384, "柏林" * 16_384):
        terms(text)
        query_terms(text[:2_000])
    assert time.perf_counter() - began < 5


def test_stemming_from_many_threads() -> None:
    words = [f"{root}{end}" for root in ("connect", "relat", "hop") for end in ("ing", "ed", "es")]
    stem.cache_clear()
    alone = [stem.__wrapped__(word, "english") for word in words]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(20):
            stem.cache_clear()
            assert list(pool.map(stem, words)) == alone
