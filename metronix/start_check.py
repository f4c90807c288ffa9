"""The gate at every start: `up`, the web application and the worker refuse what must not be served.

System checks (metronix/checks.py) ask the same questions, but Django runs those for commands only.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator

import psycopg
from django.conf import settings
from django.db import DatabaseError, connection

from metronix.database_rules import database_problems
from metronix.embedded.problems import StartProblem

logger = logging.getLogger(__name__)

SHORTEST_KEY = 16
"""Characters of the shared key: it can be tried as often as someone likes, and opens everything."""
PATIENCE_SECONDS = 30.0


def settings_problems() -> Iterator[StartProblem]:
    """What is wrong with the settings, whatever the database."""
    key = settings.METRONIX_MCP_API_KEY
    if key and len(key) < SHORTEST_KEY:
        yield StartProblem(
            f"METRONIX_MCP_API_KEY has {len(key)} characters; the one key of everybody needs {SHORTEST_KEY} at least.",
            "Make one: openssl rand -hex 32",
        )


def refuse_bad_settings() -> None:
    """Raises the first of `settings_problems`."""
    for problem in settings_problems():
        raise problem


def refuse_bad_url(url: str) -> None:
    """The database's rules, asked over a connection of our own: for `up`, whose Django has no addresses."""
    try:
        with psycopg.connect(url, connect_timeout=10) as asking, asking.cursor() as cursor:
            for problem in database_problems(cursor):
                raise problem
    except psycopg.OperationalError as problem:
        raise unreachable(problem) from problem


def refuse_bad_start(patience: float = PATIENCE_SECONDS) -> None:
    """Settings and database, asked over Django's own connection. Waits a while for a database that starts as well."""
    refuse_bad_settings()
    end = time.monotonic() + patience
    try:
        while True:
            try:
                with connection.cursor() as cursor:
                    for problem in database_problems(cursor):
                        raise problem
                return
            except DatabaseError as trouble:
                if time.monotonic() > end:
                    raise unreachable(trouble) from trouble
                logger.warning("waiting for the database: %s", trouble)
                connection.close()
                time.sleep(1.0)
    finally:
        # The worker forks next, and this thread of the web process never asks anything again.
        connection.close()


def unreachable(problem: Exception) -> StartProblem:
    """A database that does not answer, so that nothing about it is known."""
    return StartProblem(
        f"The database in DATABASE_URL cannot be reached: {str(problem).strip()}.",
        "Check that it runs and that the URL is right.",
    )
