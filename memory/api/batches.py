"""/memory/records/batch and /batch-delete: many at once, each with its own outcome."""

from __future__ import annotations

from typing import Any

from rest_framework.response import Response

from memory.api import bodies, replies
from memory.api.payloads import item_error
from memory.services.bulk import BatchItem, delete_records, store_mixed
from memory.services.reading import not_found
from metronix.api.endpoint import Endpoint
from metronix.api.inputs import Acting
from metronix.api.operation import Call, operation
from metronix.errors import InvalidParams
from metronix.tenancy.principal import Role


class StoreBatch(Endpoint):
    """/memory/records/batch."""

    @operation(
        "store_memories",
        "Store up to 100 records",
        role=Role.EDITOR,
        query=Acting,
        body=bodies.NewRecords,
        reply=replies.StoredBatch,
        also={207: replies.StoredBatch},
    )
    def post(self, call: Call) -> Response:
        """A bad item is its own error and keeps no other out: 207 when there is one, else 200."""
        defaults = call.body.defaults()
        outcomes = store_mixed(call.principal, items=[parsed(item, defaults) for item in call.body.records])
        failed = sum(outcome.error is not None for outcome in outcomes)
        results = [
            {
                "id": str(outcome.record.id) if outcome.record else None,
                "content_hash": outcome.record.content_hash if outcome.record else None,
                "deduped": outcome.deduped,
                "error": item_error(outcome.error, call.principal.request_id),
            }
            for outcome in outcomes
        ]
        stored = sum(outcome.record is not None and not outcome.deduped for outcome in outcomes)
        deduped = sum(outcome.deduped for outcome in outcomes)
        reply = {"stored": stored, "deduped": deduped, "failed": failed, "results": results}
        return Response(reply, status=207 if failed else 200)


def parsed(item: Any, defaults: dict[str, Any]) -> BatchItem | InvalidParams:
    """An item with what it inherits, or the error that keeps it out."""
    try:
        if not isinstance(item, dict):
            raise InvalidParams("A record must be an object.", field="records")
        given = bodies.RecordFields.parse(defaults | {name: value for name, value in item.items() if value is not None})
        return BatchItem(given.for_service(), given.agent_id)
    except InvalidParams as problem:
        return problem


class DeleteBatch(Endpoint):
    """/memory/records/batch-delete."""

    @operation(
        "delete_memories",
        "Delete up to 500 records for good",
        role=Role.EDITOR,
        query=Acting,
        body=bodies.RecordIds,
        reply=replies.DeletedBatch,
        also={207: replies.DeletedBatch},
    )
    def post(self, call: Call) -> Response:
        """An unknown id is its own error: 207 when there is one, else 200."""
        gone = delete_records(call.principal, record_ids=call.body.record_ids)
        results = [
            {
                "id": record_id,
                "deleted": record_id in gone,
                "error": None if record_id in gone else item_error(not_found(record_id), call.principal.request_id),
            }
            for record_id in call.body.record_ids
        ]
        failed = sum(not result["deleted"] for result in results)
        reply = {"deleted": len(gone), "failed": failed, "results": results}
        return Response(reply, status=207 if failed else 200)
