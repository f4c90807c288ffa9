"""What the search box of the record list does."""

from __future__ import annotations

import uuid

from django.db.models import Case, IntegerField, Q, QuerySet, Value, When
from django.http import HttpRequest

from memory.models import MemoryRecord, RecordVersion
from memory.search.browsing import best_matches
from metronix.adminsite.filters import WORKSPACE_PARAMETER
from metronix.adminsite.who import of_request
from metronix.tenancy.models import Workspace

MOST_WORDS = 8


def search(request: HttpRequest, records: QuerySet[MemoryRecord], text: str) -> tuple[QuerySet[MemoryRecord], str]:
    """The records that match, and a sentence on how they were found.

    An id finds what it names. In one workspace the platform's own search answers, best first unless another order was
    chosen; its fifty best are narrowed by the list's filters, so counts and pages are those of what is shown. Across
    workspaces there is no common ranking: records that have all the words are shown in the list's order.
    """
    wanted = _uuid(text)
    if wanted is not None:
        return _by_id(records, wanted), "Found by id: the record, its versions, session, or what it replaced."
    if "\0" in text:
        return records.none(), "No text has a NUL character."
    place = _one_workspace(request)
    if place is None:
        return _by_words(records, text), "Records with all these words. Choose a workspace to search by meaning."
    outcome = best_matches(
        of_request(request).at(place),
        query=text[:2_048],
        statuses=request.GET.getlist("status__exact"),
        scope=_single(request, "scope__exact"),
        tags=[tag] if (tag := request.GET.get("tag")) else [],
    )
    ids = [hit.record.id for hit in outcome.hits]
    found = records.filter(id__in=ids)
    if ids and "o" not in request.GET:
        places = [When(id=record_id, then=Value(rank)) for rank, record_id in enumerate(ids)]
        found = found.order_by(Case(*places, output_field=IntegerField()), "-id")
    how = f"The best matches in {place} by meaning and words (at most 50)."
    if outcome.left_out:
        how += f" The {' and '.join(outcome.left_out)} leg could not answer and was left out."
    return found, how


def _by_id(records: QuerySet[MemoryRecord], wanted: uuid.UUID) -> QuerySet[MemoryRecord]:
    former = RecordVersion.objects.filter(id=wanted).values("record_id")
    return records.filter(
        Q(id=wanted) | Q(id__in=former) | Q(session_id=wanted) | Q(superseded_by_id=wanted) | Q(session_key=str(wanted))
    )


def _by_words(records: QuerySet[MemoryRecord], text: str) -> QuerySet[MemoryRecord]:
    for word in text.split()[:MOST_WORDS]:
        records = records.filter(Q(content__icontains=word) | Q(tags__contains=[word]))
    return records


def _one_workspace(request: HttpRequest) -> str | None:
    """The workspace chosen in the filter, or the only one there is."""
    chosen = request.GET.get(WORKSPACE_PARAMETER)
    if chosen:
        return chosen if of_request(request).may_enter(chosen) else None
    visible = list(Workspace.objects.values_list("id", flat=True)[:2])
    return visible[0] if len(visible) == 1 else None


def _single(request: HttpRequest, name: str) -> str | None:
    values = request.GET.getlist(name)
    return values[0] if len(values) == 1 else None


def _uuid(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text.strip())
    except ValueError:
        return None
