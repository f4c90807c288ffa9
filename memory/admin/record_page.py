"""What a memory's page shows, prepared for its template."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest
from django.utils.safestring import SafeString

from memory.admin.record_forms import RecordForm
from memory.models import MemoryRecord, Session
from memory.services import Story, possible_statuses
from memory.services.story import Moment
from memory.vocabulary import Status
from metronix.adminsite.display import link, short, when
from metronix.adminsite.who import door, names, of_request, principal_link
from metronix.tenancy import policy
from metronix.tenancy.models import Workspace

ICONS = {"record_stored": "add_circle", "record_updated": "edit", "status_changed": "swap_horiz"}
WORDS = {
    Status.ACTIVE: "Restore",
    Status.STALE: "Mark stale",
    Status.ARCHIVED: "Archive",
    Status.CONFLICTED: "Mark conflicted",
    Status.REVIEW_NEEDED: "Ask for review",
    Status.QUARANTINED: "Quarantine",
}


def page(request: HttpRequest, story: Story, form: RecordForm | None = None) -> dict[str, Any]:
    """The template's own context; `form` is one that was sent and refused."""
    record = story.record
    events = [moment.event for moment in story.timeline if moment.event]
    named = names(
        [record.principal, *(event.principal for event in events), *(one.principal for one in story.retrievals)]
    )
    may_edit = policy.may_edit(of_request(request))
    return {
        "record": record,
        "story": story,
        "facts": _facts(record, named),
        "life": _life(record),
        "origin": _origin(record, named),
        "metadata": json.dumps(record.metadata, indent=2, ensure_ascii=False) if record.metadata else "",
        "timeline": [_entry(moment, record, named) for moment in story.timeline],
        "retrievals": [
            {"row": one, "who": principal_link(one.principal, named), "door": door(one.door)}
            for one in story.retrievals
        ],
        "may_edit": may_edit,
        "statuses": [(status.value, WORDS[status]) for status in possible_statuses(record)] if may_edit else [],
        "form": (form or RecordForm(initial=RecordForm.initial_of(record))) if may_edit else None,
        "form_open": form is not None,
    }


Fact = tuple[str, SafeString | str]


def _facts(record: MemoryRecord, named: dict[str, str]) -> list[Fact]:
    session: SafeString | str = "—"
    if record.session_id:
        session = link(Session, record.session_id, record.session_key)
    return [
        ("Workspace", link(Workspace, record.workspace_id)),
        ("Agent", record.agent_id),
        ("Scope", record.scope.replace("_", " ")),
        ("Session", session),
        ("Kind", record.kind),
        ("Category", record.category.replace("_", " ")),
        ("Importance", f"{record.importance_score:g}"),
        ("Revision", str(record.revision)),
    ]


def _life(record: MemoryRecord) -> list[Fact]:
    rows: list[Fact] = [
        ("Stored", when(record.stored_at)),
        ("Created", when(record.created_at)),
        ("Changed", when(record.updated_at)),
        ("Last found", when(record.last_accessed_at)),
    ]
    if record.ttl_expires_at:
        rows.append(("Expires", when(record.ttl_expires_at)))
    if record.valid_until:
        rows.append(("Valid until", when(record.valid_until)))
    rows.append(("Freshness", f"{record.freshness_score:.2f}"))
    rows.append(("Evidence", str(record.evidence_count)))
    return rows


def _origin(record: MemoryRecord, named: dict[str, str]) -> list[Fact]:
    return [
        ("Stored by", principal_link(record.principal, named)),
        ("As agent", record.source_agent or "—"),
        ("Source", record.source_type or "—"),
        ("Origin", record.provenance_origin),
        ("Grounding", record.grounding),
        ("Confidence", f"{record.confidence:g}"),
        ("Content hash", f"{record.content_hash[:12]}…"),
    ]


def _entry(moment: Moment, record: MemoryRecord, named: dict[str, str]) -> dict[str, Any]:
    event, version = moment.event, moment.version
    entry: dict[str, Any] = {
        "at": when(moment.at),
        "icon": "edit_note" if version else ICONS.get(event.event_type if event else "", "circle"),
        "title": _title(moment),
        "changes": moment.changes,
        "version": version,
        "who": principal_link(event.principal if event else version.principal if version else "", named),
        "door": door(event.actor) if event else "",
        "agent": event.agent_id if event else "",
        "request": short(event.request_id) if event and event.request_id else "",
        "event": event,
    }
    return entry


def _title(moment: Moment) -> str:
    event, version = moment.event, moment.version
    if version is not None:
        also = [name for name in (event.data.get("fields", []) if event else []) if name != "content"]
        extra = f", and {' and '.join(also)}" if also else ""
        return f"Content changed: version {version.number} became {version.number + 1}{extra}"
    assert event is not None
    data = event.data
    if event.event_type == "record_stored":
        return "Stored"
    if event.event_type == "record_updated":
        return f"Changed: {', '.join(data.get('fields', []))}".replace("_score", "")
    if event.event_type == "status_changed":
        reason = f" ({data['reason']})" if data.get("reason") else ""
        return f"{data.get('from', '?')} → {data.get('to', '?')}{reason}".replace("_", " ")
    return event.event_type.replace("_", " ").capitalize()
