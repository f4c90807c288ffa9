"""The last use of a key: noted beside the call, written down by beat, never in the way."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
import redis
from django.conf import settings
from django.utils import timezone

from metronix.celery_settings import CELERY_BEAT_SCHEDULE
from metronix.tasks import flush_last_used
from metronix.tenancy import last_used
from metronix.tenancy.authenticate import authenticate
from metronix.tenancy.context import workspaces_visible
from metronix.tenancy.credentials import issue_key
from metronix.tenancy.models import ApiKey
from metronix.tenancy.principal import Door
from tests.support.people import new_workspace


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[redis.Redis]:
    """No marks, and a process that remembers none."""
    monkeypatch.setattr(last_used, "memory", last_used.Memory())
    client = redis.Redis.from_url(settings.REDIS_URL)
    client.delete(last_used.MARKS, last_used.TAKEN)
    yield client
    client.close()


def use(secret: str) -> None:
    authenticate({"authorization": f"Bearer {secret}"}, door=Door.MCP)


def used(row: ApiKey) -> datetime | None:
    with workspaces_visible(row.workspace_id):
        return ApiKey.objects.get(id=row.id).last_used_at


def test_a_used_key_says_when(fresh: redis.Redis) -> None:
    mine, secret = issue_key(workspace_id=new_workspace())
    other, other_secret = issue_key(workspace_id=new_workspace())
    use(secret)
    use(other_secret)
    assert used(mine) is None
    assert flush_last_used() == 2
    for row in (mine, other):
        moment = used(row)
        assert moment is not None and timedelta() <= timezone.now() - moment < timedelta(seconds=10)
    assert flush_last_used() == 0
    assert fresh.exists(last_used.MARKS, last_used.TAKEN) == 0
    assert "metronix.tasks.flush_last_used" in [entry["task"] for entry in CELERY_BEAT_SCHEDULE.values()]


def test_a_busy_key_is_noted_once_in_a_while(fresh: redis.Redis) -> None:
    _, secret = issue_key(workspace_id=new_workspace())
    use(secret)
    fresh.delete(last_used.MARKS)
    use(secret)
    assert not fresh.exists(last_used.MARKS)


def test_an_interrupted_flush_is_finished_and_time_never_goes_back(fresh: redis.Redis) -> None:
    row, _ = issue_key(workspace_id=new_workspace())
    mark = f"{row.workspace_id}:{row.id}"
    late, early = int(time.time()), int(time.time()) - 500
    fresh.hset(last_used.TAKEN, mark, early)
    fresh.hset(last_used.MARKS, mark, late)
    assert (last_used.flush(), last_used.flush()) == (1, 1)
    fresh.hset(last_used.MARKS, mark, early)
    assert last_used.flush() == 0
    assert used(row).timestamp() == late


def test_without_redis_calls_go_on_and_are_not_slowed(fresh: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    _, secret = issue_key(workspace_id=new_workspace())
    _, second = issue_key(workspace_id=new_workspace())
    gone = redis.Redis(host="127.0.0.1", port=1, socket_timeout=0.1, socket_connect_timeout=0.1)
    monkeypatch.setattr(last_used, "_client", lambda: gone)
    use(secret)
    assert last_used.memory.resting_until > time.monotonic()
    monkeypatch.setattr(last_used, "_client", lambda: pytest.fail("Redis is left alone for a while"))
    use(second)
    monkeypatch.setattr(last_used, "_client", lambda: gone)
    assert flush_last_used() == 0
