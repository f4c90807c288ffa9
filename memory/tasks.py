"""Background work of the memory app. Tasks take no content, are idempotent, and find their work in the database."""

from __future__ import annotations

from itertools import groupby

from celery import shared_task
from django.db import connection

from memory.events import CONSUMERS

BATCH = 100
FOLD_BATCH = 5_000


@shared_task(name="memory.tasks.deliver")
def deliver(consumer: str) -> int:
    """Work off the due deliveries of one consumer; returns how many were handed over."""
    handed = 0
    seen: set[int] = set()
    while True:
        with connection.cursor() as cursor:
            cursor.execute("SELECT id, workspace_id FROM metronix_due_deliveries(%s, %s)", [consumer, BATCH])
            due = [(workspace, number) for number, workspace in cursor.fetchall() if number not in seen]
        if not due:
            return handed
        for workspace, group in groupby(sorted(due), key=lambda row: row[0]):
            numbers = [number for _, number in group]
            # Handed over once per run: one that stays pending without being postponed must not make this endless.
            seen.update(numbers)
            CONSUMERS[consumer].handle(workspace, numbers)
            handed += len(numbers)


@shared_task(name="memory.tasks.sweep")
def sweep() -> None:
    """Deliver whatever a lost broker message left behind, for every consumer."""
    for name in CONSUMERS:
        deliver(name)


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
