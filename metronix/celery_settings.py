"""Celery's settings (architecture: acks_late, prefetch 1, no result backend; nothing lives only in the broker)."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from metronix import env

LONGEST_TASK_SECONDS = 900
"""No task runs longer; the broker redelivers an unacknowledged message shortly after."""


def broker_url(redis_url: str) -> str:
    """kombu's spelling of a redis-py URL: a socket is `redis+socket://` with the database in `virtual_host`."""
    parts = urlsplit(redis_url)
    if parts.scheme != "unix":
        return redis_url
    database = parse_qs(parts.query).get("db", ["0"])[0]
    return f"redis+socket://{parts.path}?virtual_host={database}"


CELERY_BROKER_URL = broker_url(env.text("REDIS_URL", "redis://127.0.0.1:6379/0"))
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": LONGEST_TASK_SECONDS + 60}
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_TIME_LIMIT = LONGEST_TASK_SECONDS
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"

SWEEP_SECONDS = 5.0
ENTITY_SWEEP_SECONDS = 300.0
LAST_USED_SECONDS = 30.0
# A message that waited longer than its period is dropped: a worker that was away must not repeat a sweep per period.
CELERY_BEAT_SCHEDULE = {
    "sweep deliveries": {
        "task": "memory.tasks.sweep",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": SWEEP_SECONDS},
    },
    "sweep entities": {
        "task": "memory.tasks.sweep_entities",
        "schedule": ENTITY_SWEEP_SECONDS,
        "options": {"expires": ENTITY_SWEEP_SECONDS},
    },
    "fold lexicon": {
        "task": "memory.tasks.fold_lexicon",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": SWEEP_SECONDS},
    },
    "flush retrievals": {
        "task": "memory.tasks.flush_retrievals",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": SWEEP_SECONDS},
    },
    "flush last use of keys": {
        "task": "metronix.tasks.flush_last_used",
        "schedule": LAST_USED_SECONDS,
        "options": {"expires": LAST_USED_SECONDS},
    },
}
