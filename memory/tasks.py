"""Background work of the memory app. Tasks take no content, are idempotent, and find their work in the database."""

from __future__ import annotations

import logging
import time
from itertools import groupby

import redis
from celery import shared_task
from django.db import connection

from memory import retrievals
from memory.events import CONSUMERS
from memory.publishing import publish

logger = logging.getLogger(__name__)

BATCH = 4
RUN_SECONDS = 10.0
"""A backlog is worked off in runs of this length, so that the other tasks of the worker get their turn in between."""
FOLD_BATCH = 5_000


@shared_task(name="memory.tasks.deliver")
def deliver(consumer: str) -> int:
    """Work off the due deliveries of one consumer; returns how many were handed over.

    Deliveries are claimed for a minute while they are worked on, so that two workers do not do the same; a worker
    that dies gives its claim back by its end.
    """
    handed = 0
    end = time.monotonic() + RUN_SECONDS
    while True:
        with connection.cursor() as cursor:
            cursor.execute("SELECT id, workspace_id FROM metronix_claim_deliveries(%s, %s)", [consumer, BATCH])
            claimed = sorted((workspace, number) for number, workspace in cursor.fetchall())
        for workspace, group in groupby(claimed, key=lambda row: row[0]):
            numbers = [number for _, number in group]
            CONSUMERS[consumer].handle(workspace, numbers)
            handed += len(numbers)
        if not claimed:
            return handed
        if time.monotonic() > end:
            publish([consumer])
            return handed


@shared_task(name="memory.tasks.sweep")
def sweep() -> None:
    """Deliver whatever a lost broker message left behind, for every consumer; one that fails stops no other."""
    for name in CONSUMERS:
        try:
            deliver(name)
        except Exception:
            logger.exception("consumer %s failed; its deliveries stay and come up again", name)


@shared_task(name="memory.tasks.fold_lexicon")
def fold_lexicon() -> int:
    """Add the collected changes to the document frequencies; returns how many were folded."""
    folded = 0
    while True:
        with connection.cursor() as cursor:
            cursor.execute("SELECT metronix_fold_lexicon(%s)", [FOLD_BATCH])
            row = cursor.fetchone()
        taken = row[0] if row else 0
        folded += taken
        if taken < FOLD_BATCH:
            return folded


@shared_task(name="memory.tasks.sweep_entities")
def sweep_entities() -> int:
    """Remove entities that nothing mentions and that no delete could remove (two at once, each saw the other's)."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT metronix_sweep_entities()")
        row = cursor.fetchone()
    return int(row[0]) if row else 0


@shared_task(name="memory.tasks.flush_retrievals")
def flush_retrievals() -> int:
    """Write down which records were found by searches, and prune once an hour; returns the rows written."""
    try:
        written = retrievals.flush()
        retrievals.prune()
        return written
    except redis.RedisError as problem:
        # The notes are still there, or gone with Redis itself; the next run tells.
        logger.warning("searches were not written down: %s", problem)
        return 0
