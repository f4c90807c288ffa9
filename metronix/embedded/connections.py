"""How many PostgreSQL connections the platform may come to hold, so that the sizes asked for fit together."""

from __future__ import annotations

from collections.abc import Mapping

import psycopg

from metronix.embedded.options import UpOptions
from metronix.embedded.problems import StartProblem

DJANGO_CONNECTIONS = 8
"""Of a web process, beside its MCP threads: for REST and the admin."""
RESERVE = 20
"""For commands, migrations and people; PostgreSQL itself keeps three of them for a superuser."""


def web_pool(environment: Mapping[str, str], threads: int) -> int:
    """METRONIX_DB_POOL of a web process: as asked for, else what its threads need.

    Refuses a pool smaller than the MCP threads, which would wait for each other and time out under load.
    """
    asked = environment.get("METRONIX_DB_POOL", "")
    pool = int(asked) if asked.isdigit() else threads + DJANGO_CONNECTIONS
    if 0 < pool < threads:
        raise StartProblem(
            f"METRONIX_DB_POOL={pool} is less than METRONIX_MCP_THREADS={threads}: calls would wait for a connection.",
            "Leave METRONIX_DB_POOL unset, or lower METRONIX_MCP_THREADS.",
        )
    return pool


def refuse_too_many(options: UpOptions, pool: int, threads: int, allowed: int) -> None:
    """Refuse sizes that would run into `allowed`, the server's max_connections, under load and not before."""
    # Without a pool each thread keeps a connection of its own.
    of_web = options.web_workers * (pool or threads + DJANGO_CONNECTIONS)
    # The worker's main process asks at its start, each of its children works.
    wanted = of_web + options.celery_concurrency + 1 + RESERVE
    if wanted > allowed:
        raise StartProblem(
            f"The platform may need {wanted} connections ({options.web_workers} web processes with "
            f"{of_web // options.web_workers} each, {options.celery_concurrency + 1} of the worker, {RESERVE} in "
            f"reserve); PostgreSQL allows {allowed}.",
            "Lower WEB_WORKERS, METRONIX_MCP_THREADS or METRONIX_DB_POOL, or raise max_connections of your own "
            "PostgreSQL.",
        )


def max_connections(url: str) -> int:
    """What the server allows."""
    with psycopg.connect(url, connect_timeout=10) as asking:
        row = asking.execute("SELECT current_setting('max_connections')::int").fetchone()
    assert row is not None
    return int(row[0])
