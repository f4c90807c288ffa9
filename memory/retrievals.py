"""Which searches found a record: noted in Redis beside the answer, written to the table by beat.

A search writes nothing to PostgreSQL and must not fail or wait for this: a note is one message to Redis, and while
Redis does not answer nothing is sent at all. What is lost with Redis is a trace, not a memory.
"""

from __future__ import annotations

import json
import logging
import time
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any

import redis
from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.utils import timezone

from memory.models import MemoryRecord, Retrieval
from memory.models.retrieval import AGENT_LENGTH, PRINCIPAL_LENGTH, QUERY_LENGTH
from metronix.deadlock import again_after_deadlock
from metronix.tenancy.context import granted_visible, workspaces_visible
from metronix.tenancy.principal import EVERY_WORKSPACE, Door, Principal, PrincipalType, Role

if TYPE_CHECKING:
    from memory.search.request import SearchRequest
    from memory.search.service import Hit

logger = logging.getLogger(__name__)

NOTES = "metronix:retrievals"
"""A list of searches as JSON, the latest last."""
PRUNED = f"{NOTES}:pruned"
"""There for as long as nothing needs to be pruned again."""
MOST_NOTES = 20_000
BATCH = 200
RUN_SECONDS = 10.0
PRUNE_SECONDS = 3_600
REST_SECONDS = 30.0
"""How long Redis is left alone after it did not answer."""
PATIENCE_SECONDS = 0.1
DOORS = (Door.MCP, Door.REST)
"""An operator who looks through the memories has not made use of them."""
ACCESSED = """
UPDATE memory_records r SET last_accessed_at = greatest(r.last_accessed_at, found.at)
FROM unnest(%s::uuid[], %s::timestamptz[]) AS found (id, at) WHERE r.workspace_id = %s AND r.id = found.id
"""
"""Neither revision nor updated_at: being found does not change a record."""
PRUNER = Principal(
    id="worker",
    type=PrincipalType.MODEL,
    role=Role.ADMIN,
    grants=frozenset({EVERY_WORKSPACE}),
    door=Door.WORKER,
)


class Rest:
    """Until when this process leaves Redis alone. Two threads that both set it do no harm."""

    until = 0.0


def note(principal: Principal, request: SearchRequest, hits: Sequence[Hit]) -> None:
    """The search found these just now. Never raises for want of Redis, never waits longer than PATIENCE_SECONDS.

    Not noted: operators, searches of the past, and anything while METRONIX_RETRIEVAL_DAYS is 0.
    """
    if not hits or principal.door not in DOORS or request.as_of is not None or not settings.METRONIX_RETRIEVAL_DAYS:
        return
    now = time.monotonic()
    if now < Rest.until:
        return
    try:
        with _client().pipeline(transaction=False) as pipe:
            pipe.rpush(NOTES, _written(principal, request, hits))
            pipe.ltrim(NOTES, -MOST_NOTES, -1)
            pipe.execute()
    except (redis.RedisError, OSError) as problem:
        Rest.until = now + REST_SECONDS
        logger.warning("a search was not noted: %s", problem)


def flush() -> int:
    """Write the collected notes to the table; returns how many rows were written.

    Notes are taken by popping, so that two workers never write the same. What the database cannot take now is put
    back; a worker that dies in between loses one batch.
    """
    client = _client()
    written = 0
    end = time.monotonic() + RUN_SECONDS
    while time.monotonic() < end and (notes := client.lpop(NOTES, BATCH)):
        left = _by_workspace(notes)
        try:
            while left:
                written += _write(*next(iter(left.items())))
                del left[next(iter(left))]
        except (OperationalError, InterfaceError):
            with client.pipeline(transaction=False) as pipe:
                pipe.lpush(NOTES, *(json.dumps(said) for group in left.values() for said in reversed(group)))
                pipe.ltrim(NOTES, -MOST_NOTES, -1)
                pipe.execute()
            raise
    return written


def prune() -> int:
    """Delete rows beyond METRONIX_RETRIEVAL_DAYS, unless that was done within the last hour; returns how many."""
    if not _client().set(PRUNED, 1, nx=True, ex=PRUNE_SECONDS):
        return 0
    oldest = timezone.now() - timedelta(days=settings.METRONIX_RETRIEVAL_DAYS)
    with granted_visible(PRUNER):
        deleted, _ = Retrieval.objects.filter(created_at__lt=oldest).delete()
    return deleted


def _written(principal: Principal, request: SearchRequest, hits: Sequence[Hit]) -> str:
    return json.dumps(
        {
            "at": time.time(),
            "workspace": principal.workspace_id,
            "agent": (principal.agent_id or "")[:AGENT_LENGTH],
            "principal": principal.id[:PRINCIPAL_LENGTH],
            "door": principal.door.value,
            "query": request.query[:QUERY_LENGTH],
            "hits": [(hit.record.id.hex, hit.rank, *_parts(hit)) for hit in hits],
        },
        separators=(",", ":"),
    )


def _parts(hit: Hit) -> list[float]:
    parts = (hit.score, hit.vector_score, hit.lexical_score, hit.graph_score, hit.session_boost)
    return [round(float(part), 4) for part in parts]


def _by_workspace(notes: Sequence[bytes]) -> dict[str, list[dict[str, Any]]]:
    grouped: dict[str, list[dict[str, Any]]] = {}
    for written in notes:
        try:
            said = json.loads(written)
            grouped.setdefault(said["workspace"], []).append(said)
        except (ValueError, TypeError, KeyError) as problem:  # of another release, say
            logger.warning("a note of a search was not understood: %r", problem)
    return grouped


def _write(workspace_id: str, notes: Sequence[dict[str, Any]]) -> int:
    """One workspace's notes in one transaction; what the database refuses for good is given up."""
    try:
        rows = [row for said in notes for row in _rows(said)]
        return again_after_deadlock(lambda: _insert(workspace_id, rows))
    except (OperationalError, InterfaceError):
        raise
    except (DatabaseError, ValueError, TypeError, KeyError):
        logger.exception("%s searches of workspace %s were not written down", len(notes), workspace_id)
        return 0


def _rows(said: dict[str, Any]) -> list[Retrieval]:
    return [
        Retrieval(
            workspace_id=said["workspace"],
            record_id=uuid.UUID(record),
            agent_id=said["agent"],
            principal=said["principal"],
            door=said["door"],
            query=said["query"],
            rank=rank,
            score=score,
            vector=vector,
            lexical=lexical,
            graph=graph,
            session=session,
            created_at=datetime.fromtimestamp(said["at"], UTC),
        )
        for record, rank, score, vector, lexical, graph, session in said["hits"]
    ]


def _insert(workspace_id: str, rows: Sequence[Retrieval]) -> int:
    """Rows of records that are still there; a workspace that is gone has none."""
    latest: dict[uuid.UUID, datetime] = {}
    for row in rows:
        latest[row.record_id] = max(row.created_at, latest.get(row.record_id, row.created_at))
    with workspaces_visible(workspace_id):
        # Locked in one order, so that two flushes never wait for each other, and nothing is deleted in between.
        known = MemoryRecord.objects.filter(workspace_id=workspace_id, id__in=latest).order_by("id")
        present = set(known.select_for_update(no_key=True).values_list("id", flat=True))
        with connection.cursor() as cursor:
            cursor.execute(ACCESSED, [list(present), [latest[record_id] for record_id in present], workspace_id])
        return len(Retrieval.objects.bulk_create([row for row in rows if row.record_id in present]))


@cache
def _client() -> Any:
    return redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=PATIENCE_SECONDS, socket_connect_timeout=PATIENCE_SECONDS
    )
