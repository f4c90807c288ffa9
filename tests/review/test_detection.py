"""What the pair detector says of everyday pairs; vectors are left out, so words alone decide."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from review.detection import Finding, Label, Statement, detect

EARLIER = datetime(2025, 6, 2, 9, tzinfo=UTC)
LATER = EARLIER + timedelta(days=3)


def judge(a: str, b: str) -> Finding:
    return detect(Statement(a, EARLIER), Statement(b, LATER))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The kettle is in the pantry.", "the kettle is in the pantry"),
        ("The ferry takes 90 minutes.", "The ferry takes 1.5 hours."),
        ("The parcel weighs 0.75 kg.", "Weight of the parcel: 750 g"),
        ("The archive holds 4,096 MB.", "The archive holds 4 GB."),
        ("The choir meets on 2025-09-14.", "The choir meets on 14 September 2025."),
    ],
)
def test_equal_statements_are_duplicates(a: str, b: str) -> None:
    assert judge(a, b).label == Label.DUPLICATE


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The kiosk accepts cards.", "The kiosk does not accept cards."),
        ("The sauna is open on holidays.", "The sauna is closed on holidays."),
        ("The tower is 40 m high.", "The tower is 55 m high."),
        ("Mehmet lives in Tallinn.", "Mehmet lives in Riga."),
        ("The tank is full.", "The tank is empty."),
        ("Die Sauna ist geöffnet.", "Die Sauna ist nicht geöffnet."),
        ("La piscina está abierta.", "La piscina está cerrada."),
    ],
)
def test_incompatible_statements_are_contradictions(a: str, b: str) -> None:
    assert judge(a, b).label == Label.CONTRADICTION


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Mehmet lives in Tallinn.", "Mehmet has moved to Riga."),
        ("The kiosk accepts cheques.", "The kiosk no longer accepts cheques."),
        ("The ticket price is 12 euros.", "The ticket price was raised to 14 euros."),
        ("The regatta is on 3 August.", "The regatta has been cancelled."),
        ("Der Kurs ist am Montag.", "Der Kurs ist jetzt am Dienstag, nicht mehr am Montag."),
        ("Le cours est le lundi.", "Le cours est désormais le mardi au lieu du lundi."),
    ],
)
def test_later_states_are_replacements(a: str, b: str) -> None:
    found = judge(a, b)
    assert found.label == Label.REPLACEMENT
    assert found.direction == "b"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Mehmet plays the oboe.", "Mehmet's daughter plays the drums."),
        ("The red kayak is 4 m long.", "The blue canoe is 5 m long."),
        ("Linnea visited Oman in 2015.", "Linnea visited Peru in 2022."),
        ("The north gate is open.", "The south gate is closed."),
    ],
)
def test_statements_that_both_hold_are_unrelated(a: str, b: str) -> None:
    assert judge(a, b).label == Label.UNRELATED


def test_relative_dates_are_resolved_with_the_time_of_storing() -> None:
    stored = datetime(2025, 5, 6, 12, tzinfo=UTC)
    a = Statement("The dentist appointment is tomorrow at 4 pm.", stored)
    same = detect(a, Statement("The dentist appointment is on 7 May at 16:00.", LATER))
    other = detect(a, Statement("The dentist appointment is on 9 May at 16:00.", LATER))
    assert same.label == Label.DUPLICATE
    assert any(reason.code == "value" for reason in other.reasons)


def test_reasons_name_the_difference_and_where_it_stands() -> None:
    a, b = "The tower is 40 m high.", "The tower is 55 m high."
    reason = next(reason for reason in judge(a, b).reasons if reason.code == "value")
    assert reason.words == "different value: 40 m / 55 m"
    assert reason.a_span is not None and a[slice(*reason.a_span)] == "40 m"
    assert reason.b_span is not None and b[slice(*reason.b_span)] == "55 m"


def test_a_cue_phrase_and_a_negation_are_quoted() -> None:
    replaced = judge("The kiosk accepts cheques.", "The kiosk no longer accepts cheques.")
    assert "wording in B: no longer" in [reason.words for reason in replaced.reasons]
    denied = judge("The kiosk accepts cards.", "The kiosk doesn't accept cards.")
    assert "negation in B: n't" in [reason.words for reason in denied.reasons]


def test_the_order_of_the_arguments_does_not_matter() -> None:
    a, b = Statement("Mehmet lives in Tallinn.", EARLIER), Statement("Mehmet has moved to Riga.", LATER)
    forth, back = detect(a, b), detect(b, a)
    assert (forth.label, forth.confidence) == (back.label, back.confidence)
    assert (forth.direction, back.direction) == ("b", "a")
    wording = next(reason for reason in back.reasons if reason.code == "wording")
    assert wording.words.startswith("wording in A")
    assert wording.a_span is not None and wording.b_span is None


def test_small_talk_raises_no_alarm() -> None:
    for a, b in [("Ana: Bye!", "Leo: Bye, Ana!"), ("Ana: Thanks so much!", "Leo: Thanks, you too!")]:
        assert judge(a, b).alarm == Label.UNRELATED
