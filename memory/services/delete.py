"""Deleting for good."""

from __future__ import annotations

from memory.events import append_event
from memory.models import LexiconChange
from memory.services.reading import find_reachable
from memory.vocabulary import Scope
from metronix.errors import InvalidParams, Stale
from metronix.tenancy.access import require_role
from metronix.tenancy.context import tenant
from metronix.tenancy.principal import Principal, Role


def delete_record(
    principal: Principal, *, record_id: str, expected_revision: int | None = None, sessions_too: bool = False
) -> bool:
    """Delete the record with its versions and vectors; False when there is no such record within reach.

    Nothing of the content stays: the event keeps the bare id. Session records end with their session and are refused
    here unless `sessions_too`. Errors: InvalidParams, Forbidden, Stale (`expected_revision` is not the row's).
    """
    require_role(principal, Role.EDITOR)
    with tenant(principal):
        record = find_reachable(principal, record_id, lock=True)
        if record is None:
            return False
        if record.scope == Scope.SESSION and not sessions_too:
            raise InvalidParams(
                "A session record cannot be deleted by itself.",
                field="record_id",
                hint="End the session; its records expire with it.",
            )
        if expected_revision is not None and expected_revision != record.revision:
            raise Stale("The record has changed since it was read.", details={"revision": record.revision})
        LexiconChange.objects.create(
            workspace_id=record.workspace_id, sign=-1, term_ids=list(record.term_ids), term_count=record.term_count
        )
        record_pk = record.id
        record.delete()  # versions, vectors and other references go by the database's own cascades
        append_event(principal, "record_deleted", record_id=record_pk)
        return True
