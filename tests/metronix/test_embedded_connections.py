"""Threads, pools and max_connections fit together, or the start is refused."""

from __future__ import annotations

import pytest

from metronix.embedded.connections import max_connections, refuse_too_many, web_pool
from metronix.embedded.options import UpOptions
from metronix.embedded.problems import StartProblem
from tests.support.servers import TestServers


def test_the_pool_follows_from_the_threads() -> None:
    assert web_pool({}, 8) == 16
    assert web_pool({"METRONIX_DB_POOL": "30"}, 8) == 30
    assert web_pool({"METRONIX_DB_POOL": "0"}, 8) == 0
    with pytest.raises(StartProblem, match="METRONIX_DB_POOL=7 is less than METRONIX_MCP_THREADS=8"):
        web_pool({"METRONIX_DB_POOL": "7"}, 8)


@pytest.mark.parametrize("pool", [16, 0])
def test_what_does_not_fit_is_refused(pool: int) -> None:
    refuse_too_many(UpOptions(web_workers=11), pool, 8, 200)
    with pytest.raises(StartProblem, match=r"may need 214 connections .* allows 200") as refused:
        refuse_too_many(UpOptions(web_workers=12), pool, 8, 200)
    assert "WEB_WORKERS" in refused.value.advice


def test_the_server_is_asked(services: TestServers) -> None:
    assert max_connections(services.application) == 200
