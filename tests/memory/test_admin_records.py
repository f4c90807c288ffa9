"""Memories in the admin: found, read, changed through the services, and harmless whatever they say."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from memory.models import MachineEvent, MemoryRecord
from memory.services import record_history, set_status, store_record, update_record
from memory.vocabulary import Status
from metronix.tenancy.context import tenant
from metronix.tenancy.principal import Principal, Role
from tests.support.admin import client_of, staff
from tests.support.people import administrator, new_workspace

LIST = "/admin/memory/memoryrecord/"


@pytest.fixture
def operator(owner: Principal) -> Client:
    """An editor with a login."""
    return client_of(staff(owner.workspace_id))


def page(record: MemoryRecord) -> str:
    return reverse("admin:memory_memoryrecord_change", args=[record.pk])


def act(record: MemoryRecord, name: str) -> str:
    return reverse(f"admin:memory_memoryrecord_{name}", args=[record.pk])


def form(record: MemoryRecord, **changes: object) -> dict[str, object]:
    return {
        "content": record.content,
        "tags": "\n".join(record.tags),
        "importance_score": record.importance_score,
        "revision": record.revision,
    } | changes


def current(owner: Principal, record: MemoryRecord) -> MemoryRecord:
    with tenant(owner):
        return MemoryRecord.objects.get(pk=record.pk)


def listed(client: Client, query: str = "") -> list[str]:
    """Ids of the listed records, in their order."""
    shown = client.get(LIST + query).content.decode()
    return list(dict.fromkeys(re.findall(rf'href="{LIST}([0-9a-f-]{{36}})/change/"', shown)))


def test_an_edit_is_a_version_and_an_event_of_the_operator(owner: Principal) -> None:
    user = staff(owner.workspace_id)
    operator = client_of(user)
    record = store_record(owner, content="The port is 5432.", tags=["infra"]).record
    sent = form(record, content="The port is 5433.\r\nSince May.", tags="infra\r\na,b", importance_score="0.9")
    answer = operator.post(act(record, "edit"), sent, follow=True)
    assert "Saved: content, importance, tags." in answer.content.decode()
    changed = current(owner, record)
    assert (changed.content, changed.tags, changed.importance_score) == (
        "The port is 5433.\nSince May.",
        ["infra", "a,b"],
        0.9,
    )
    with tenant(owner):
        event = MachineEvent.objects.get(event_type="record_updated", record_id=record.pk)
    assert (event.actor, event.principal) == ("operator", f"user:{user.pk}")
    shown = unescape(operator.get(page(record)).content.decode())
    assert "<del>5432" in shown and "<ins>5433" in shown
    assert "version 1 became 2" in shown and user.email in shown


def test_what_a_browser_does_to_line_ends_is_no_change(owner: Principal, operator: Client) -> None:
    record = store_record(owner, content="one\ntwo\n  three").record
    answer = operator.post(act(record, "edit"), form(record, content="one\r\ntwo\r\n  three"), follow=True)
    assert "Nothing was changed." in answer.content.decode()
    assert current(owner, record).revision == 1


def test_a_change_in_between_is_a_conflict_that_keeps_the_text(owner: Principal, operator: Client) -> None:
    record = store_record(owner, content="before").record
    update_record(owner, record_id=str(record.pk), content="by someone else")
    answer = operator.post(act(record, "edit"), form(record, content="my careful text"))
    shown = answer.content.decode()
    assert answer.status_code == 409
    assert "my careful text" in shown and "by someone else" in shown and "Someone changed this memory" in shown
    assert current(owner, record).content == "by someone else"
    assert 'name="revision" value="2"' in shown
    operator.post(act(record, "edit"), form(record, content="my careful text", revision=2))
    assert current(owner, record).content == "my careful text"
    assert [entry.content for entry in record_history(owner, record_id=str(record.pk))] == [
        "before",
        "by someone else",
        "my careful text",
    ]


@pytest.mark.parametrize(
    "bad",
    [{"content": ""}, {"content": "  "}, {"content": "x" * 32_769}, {"tags": "t" * 65}, {"importance_score": "2"}],
)
def test_a_bad_field_is_shown_and_nothing_saved(owner: Principal, operator: Client, bad: dict[str, object]) -> None:
    record = store_record(owner, content="fine").record
    answer = operator.post(act(record, "edit"), form(record, **bad))
    assert answer.status_code == 422 and "errors" in answer.content.decode()
    assert current(owner, record).revision == 1


def test_the_content_of_another_is_refused_by_name(owner: Principal, operator: Client) -> None:
    store_record(owner, content="taken")
    record = store_record(owner, content="mine").record
    answer = operator.post(act(record, "edit"), form(record, content="taken"))
    assert answer.status_code == 409 and "Another live record" in answer.content.decode()
    assert current(owner, record).content == "mine"


def test_a_memory_is_put_away_and_brought_back(owner: Principal, operator: Client) -> None:
    record = store_record(owner, content="come and go").record
    for status in ("archived", "active", "stale", "quarantined"):
        answer = operator.post(act(record, "status"), {"status": status}, follow=True)
        assert f"Now {status}." in answer.content.decode()
        assert current(owner, record).status == status
    stale = operator.post(act(record, "status"), {"status": "active", "revision": "1"}, follow=True)
    assert "has changed since" in stale.content.decode()
    for wrong in ("superseded", "candidate", "nonsense", ""):
        operator.post(act(record, "status"), {"status": wrong})
    assert current(owner, record).status == "quarantined"


def test_bringing_back_what_is_known_again_is_refused(owner: Principal, operator: Client) -> None:
    record = store_record(owner, content="the same").record
    operator.post(act(record, "status"), {"status": "archived"})
    store_record(owner, content="the same")
    answer = operator.post(act(record, "status"), {"status": "active"}, follow=True)
    assert "has this content" in answer.content.decode()
    assert current(owner, record).status == "archived"


def test_what_superseded_a_record_is_forgotten_when_it_is_restored(owner: Principal) -> None:
    old, new = store_record(owner, content="old").record, store_record(owner, content="new").record
    with tenant(owner):
        MemoryRecord.objects.filter(pk=old.pk).update(status="superseded", superseded_by=new)
    operator = client_of(staff(owner.workspace_id))
    assert str(new.pk) in operator.get(page(old)).content.decode()
    assert "Supersedes" in operator.get(page(new)).content.decode()
    restored = set_status(
        administrator(owner.workspace_id).at(owner.workspace_id), record_id=str(old.pk), status=Status.ACTIVE
    )
    assert restored.superseded_by_id is None and current(owner, old).superseded_by_id is None


def test_the_last_change_is_undone(owner: Principal, operator: Client) -> None:
    record = store_record(owner, content="right").record
    update_record(owner, record_id=str(record.pk), content="wrong")
    operator.post(act(record, "undo"), {"revision": "2"})
    assert current(owner, record).content == "right"
    answer = operator.post(act(record, "undo"), {"revision": "2"}, follow=True)
    assert "has changed" in answer.content.decode()


def test_a_memory_is_deleted_after_a_question(owner: Principal, operator: Client) -> None:
    record = store_record(owner, content="gone soon", scope="session", session_id="s").record
    delete = reverse("admin:memory_memoryrecord_delete", args=[record.pk])
    assert "gone soon" in operator.get(delete).content.decode()
    assert current(owner, record)
    operator.post(delete)
    assert listed(operator) == []
    assert operator.get(page(record)).status_code == 404


def test_several_at_once_have_an_event_each(owner: Principal, operator: Client) -> None:
    records = [store_record(owner, content=f"number {n}").record for n in range(3)]
    chosen = [str(record.pk) for record in records]
    operator.post(LIST, {"action": "archive_selected", "_selected_action": chosen})
    assert {current(owner, record).status for record in records} == {"archived"}
    with tenant(owner):
        assert MachineEvent.objects.filter(event_type="status_changed", actor="operator").count() == 3
    again = operator.post(LIST, {"action": "archive_selected", "_selected_action": chosen}, follow=True)
    assert "3 left as they are" in again.content.decode()
    asked = operator.post(LIST, {"action": "delete_selected_records", "_selected_action": chosen})
    assert "Delete 3 memories?" in asked.content.decode() and len(listed(operator)) == 3
    operator.post(LIST, {"action": "delete_selected_records", "_selected_action": chosen, "confirmed": "yes"})
    assert listed(operator) == []


def test_the_search_box_searches_by_meaning_in_one_workspace(owner: Principal, operator: Client) -> None:
    wanted = store_record(owner, content="The staging database listens on port 5433.").record
    for n in range(3):
        store_record(owner, content=f"Lunch is served at {11 + n} o'clock.")
    archived = store_record(owner, content="The staging database listened on port 5432 last year.").record
    operator.post(act(archived, "status"), {"status": "archived"})
    found = listed(operator, "?q=which+port+does+staging+use")
    assert set(found[:2]) == {str(wanted.pk), str(archived.pk)}
    assert listed(operator, "?q=which+port+does+staging+use&status__exact=archived") == [str(archived.pk)]
    assert "best matches" in operator.get(f"{LIST}?q=port").content.decode()


def test_across_workspaces_words_and_ids_are_found(owner: Principal, stranger: Principal) -> None:
    other = new_workspace("second")
    both = client_of(staff(owner.workspace_id, other))
    record = store_record(owner, content="Ada's 100% token_a is in MTRNIX-303", tags=["a,b"]).record
    store_record(stranger, content="MTRNIX-303 of strangers")
    update_record(owner, record_id=str(record.pk), content="Ada's 100% token_a is in MTRNIX-303 now")
    (version,) = record_history(owner, record_id=str(record.pk))[:1]
    for text in ("MTRNIX-303", "ada's now", "100%25", "token_a", "a,b", str(record.pk), str(version.id)):
        assert listed(both, f"?q={text}") == [str(record.pk)], text
    for text in ("tokenXa", "100%25%25", "MTRNIX-303 strangers", "'; --"):
        assert listed(both, f"?q={text}") == [], text


def test_filters_find_what_they_say(owner: Principal, operator: Client) -> None:
    tagged = store_record(owner, content="tagged", tags=["50%", "x_y"], kind="pinned").record
    shared = store_record(owner.at(owner.workspace_id, "iris"), content="for all", scope="global").record
    spoken = store_record(owner, content="in a session", session_id="standup").record
    for query, wanted in {
        "?tag=50%25": [tagged],
        "?tag=50": [],
        "?agent=iris": [shared],
        "?agent=iri": [],
        "?session=standup": [spoken],
        "?kind__exact=pinned": [tagged],
        "?scope__exact=global&scope__exact=session": [shared],
        "?embedding_status__exact=failed": [],
        "?age=1&status__exact=active": [spoken, shared, tagged],
        "?age=90": [],
        "?expiry=expired": [],
        "?expiry=current&tag=x_y": [tagged],
        f"?workspace__id__exact={owner.workspace_id}&kind__exact=pinned": [tagged],
    }.items():
        assert listed(operator, query) == [str(record.pk) for record in wanted], query


HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)></textarea></title>{{ 7|add:7 }}"


def test_no_content_becomes_markup(owner: Principal, operator: Client) -> None:
    record = store_record(
        owner,
        content=HOSTILE,
        tags=[HOSTILE[:60]],
        session_id=HOSTILE,
        metadata={"k": HOSTILE},
        source_type=HOSTILE[:60],
    ).record
    update_record(owner, record_id=str(record.pk), content=f"{HOSTILE} again")
    boss = client_of(staff(owner.workspace_id, role=Role.ADMIN))
    pages = [
        page(record),
        reverse("admin:memory_memoryrecord_delete", args=[record.pk]),
        *(f"/admin/{name}/" for name in ("memory/memoryrecord", "memory/session", "memory/machineevent")),
        f"{LIST}?q={HOSTILE}",
        f"{LIST}?tag={HOSTILE}",
        "/admin/",
    ]
    for address in pages:
        shown = boss.get(address).content.decode()
        assert "<img src=x" not in shown and "<script>alert" not in shown and "14" not in re.findall(r">(14)<", shown)


def test_the_admins_log_holds_no_content(owner: Principal, operator: Client) -> None:
    from django.contrib.admin.models import LogEntry

    record = store_record(owner, content="a very private thing").record
    operator.post(act(record, "edit"), form(record, content="a more private thing"))
    operator.post(reverse("admin:memory_memoryrecord_delete", args=[record.pk]))
    assert "private" not in str(list(LogEntry.objects.values_list("object_repr", "change_message")))
    assert str(record) == str(record.pk)
