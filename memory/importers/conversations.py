"""Conversations: LoCoMo's JSON (a list of samples with sessions of turns), or JSON Lines of one record each.

LoCoMo is the format of Maharana et al., "Evaluating Very Long-Term Conversational Memory of LLM Agents" (ACL 2024).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.utils import timezone

from memory.services.drafts import Draft, draft
from metronix.errors import InvalidParams

SESSION = re.compile(r"session_(\d+)\Z")
LINE_FIELDS = {"agent_id", "session_id", "content", "created_at", "metadata"}
SOURCE_TYPE = "conversation"


@dataclass(frozen=True)
class Entry:
    """One thing to store: in which workspace (None: the command's), for which agent. `where` names its place."""

    where: str
    workspace_id: str | None
    agent_id: str
    draft: Draft


@dataclass(frozen=True)
class Rejected:
    """One thing that cannot be stored, and why."""

    where: str
    reason: str


def read_conversations(path: Path) -> Iterator[Entry | Rejected]:
    """Entries of a file in its order. Error: InvalidParams when the file as a whole is of neither format."""
    text = path.read_text(encoding="utf-8-sig")
    if text.lstrip()[:1] == "[":
        try:
            samples = json.loads(text)
        except json.JSONDecodeError as problem:
            raise InvalidParams(f"{path.name} is not valid JSON: {problem.msg} in line {problem.lineno}.") from None
        yield from (entry for sample in samples for entry in _sample(sample))
    else:
        # Not splitlines: U+2028 and its like may stand inside a JSON string, and belong to it.
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                yield _line(f"line {number}", line)


def _sample(sample: Any) -> Iterator[Entry | Rejected]:
    if not isinstance(sample, dict) or not isinstance(sample.get("conversation"), dict) or "sample_id" not in sample:
        raise InvalidParams("A sample needs sample_id and conversation.", hint="See docs/import.md for the formats.")
    sample_id = str(sample["sample_id"])
    conversation = sample["conversation"]
    numbers = sorted(int(match[1]) for match in map(SESSION.match, conversation) if match)
    for number in numbers:
        key = f"session_{number}"
        where = f"{sample_id} {key}"
        try:
            happened = session_time(str(conversation.get(f"{key}_date_time", "")))
        except ValueError as problem:
            yield Rejected(where, str(problem))
            continue
        if not isinstance(conversation[key], list):
            yield Rejected(where, "a session must be a list of turns")
            continue
        for place, turn in enumerate(conversation[key], start=1):
            yield _turn(f"{where} turn {place}", sample_id, key, happened, turn)


def _turn(where: str, sample_id: str, session: str, happened: datetime, turn: Any) -> Entry | Rejected:
    if not isinstance(turn, dict) or not {"speaker", "text"} <= set(turn):
        return Rejected(where, "a turn needs speaker and text")
    caption = f" [image: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
    try:
        wanted = draft(
            content=f"{turn['speaker']}: {turn['text']}{caption}",
            source_type=SOURCE_TYPE,
            session_id=session,
            metadata={"dia_id": turn["dia_id"]} if "dia_id" in turn else {},
            created_at=happened,
        )
    except InvalidParams as problem:
        return Rejected(where, problem.message)
    return Entry(where, sample_id, sample_id, wanted)


def _line(where: str, line: str) -> Entry | Rejected:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as problem:
        return Rejected(where, f"not valid JSON: {problem.msg}")
    if not isinstance(row, dict):
        return Rejected(where, "a line must be a JSON object")
    unknown = sorted(set(row) - LINE_FIELDS)
    if unknown:
        return Rejected(where, f"unknown field {unknown[0]!r}")
    missing = sorted({"agent_id", "content"} - set(row))
    if missing:
        return Rejected(where, f"{missing[0]} is required")
    try:
        wanted = draft(
            content=row["content"],
            source_type=SOURCE_TYPE,
            session_id=row.get("session_id"),
            metadata=row.get("metadata"),
            created_at=line_time(row.get("created_at")),
        )
    except (InvalidParams, ValueError) as problem:
        return Rejected(where, str(problem))
    return Entry(where, None, str(row["agent_id"]), wanted)


def session_time(text: str) -> datetime:
    """A session's date as LoCoMo writes it ("1:56 pm on 8 May, 2023") or ISO 8601; without an offset it is UTC."""
    for form in ("%I:%M %p on %d %B, %Y", "%d %B, %Y"):
        try:
            return datetime.strptime(text.strip(), form).replace(tzinfo=UTC)
        except ValueError:
            continue
    found = line_time(text)
    if found is None:
        raise ValueError("the session has no date")
    return found


def line_time(value: Any) -> datetime | None:
    """ISO 8601, aware; a time without an offset is UTC. Error: ValueError."""
    if value in (None, ""):
        return None
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError:
        raise ValueError(f"{value!r} is not an ISO 8601 time") from None
    if not 1900 <= moment.year <= 2200:
        raise ValueError(f"{value!r} is not a time between the years 1900 and 2200")
    return moment if timezone.is_aware(moment) else moment.replace(tzinfo=UTC)
