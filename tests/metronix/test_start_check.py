"""What must not be served is refused: at the checks, by the web application, by the worker, by `up`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from django.core import checks
from django.db import connection

from metronix.database_rules import database_problems, required_functions
from metronix.embedded.one_off import PROJECT, manage_py
from metronix.embedded.problems import StartProblem
from metronix.start_check import refuse_bad_settings, refuse_bad_url
from tests.support.live import free_port
from tests.support.servers import TestServers

SENTENCES = {"superuser": "a superuser", "owner": "who owns tables"}


def answers(url: str) -> str:
    with psycopg.connect(url) as asking, asking.cursor() as cursor:
        return " | ".join(str(problem) for problem in database_problems(cursor))


def run(arguments: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=PROJECT,
        env=dict(os.environ) | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@contextmanager
def changed(services: TestServers, change: str, back: str) -> Iterator[None]:
    with psycopg.connect(services.superuser, autocommit=True) as admin:
        admin.execute(change)
        try:
            yield
        finally:
            admin.execute(back)


def test_the_application_s_role_passes(services: TestServers) -> None:
    assert answers(services.application) == ""
    refuse_bad_url(services.application)
    assert checks.run_checks(databases=["default"]) == []
    assert "metronix_search_candidates" in required_functions()


@pytest.mark.parametrize("role", ["superuser", "owner"])
def test_who_is_not_bound_by_row_security_is_refused_everywhere(services: TestServers, role: str) -> None:
    url = getattr(services, role)
    with pytest.raises(StartProblem, match=SENTENCES[role]) as refused:
        refuse_bad_url(url)
    assert "application's role" in refused.value.advice
    serve = ["-m", "uvicorn", "metronix.asgi:application", "--port", str(free_port())]
    work = ["-m", "celery", "-A", "metronix.celery", "worker", "--pool", "solo"]
    check = [str(manage_py()), "check", "--database", "default"]
    for command in (serve, work, check):
        done = run(command, DATABASE_URL=url)
        assert done.returncode != 0, command
        assert SENTENCES[role] in done.stderr, command
        assert "Traceback" not in done.stderr, command


def test_the_owner_may_migrate() -> None:
    done = run([str(manage_py()), "migrate", "--no-input"], METRONIX_DB_ROLE="owner")
    assert done.returncode == 0, done.stderr
    assert "No migrations to apply" in done.stdout


@pytest.mark.parametrize(
    ("change", "back", "sentence"),
    [
        (
            "ALTER TABLE machine_events DISABLE ROW LEVEL SECURITY",
            "ALTER TABLE machine_events ENABLE ROW LEVEL SECURITY",
            "Row-level security is off, or has another policy than Metronix's, on machine_events.",
        ),
        (
            "CREATE POLICY open_to_all ON agents USING (true)",
            "DROP POLICY open_to_all ON agents",
            "on agents.",
        ),
        (
            "CREATE TABLE public.not_isolated (workspace_id text); GRANT SELECT ON public.not_isolated TO metronix_app",
            "DROP TABLE public.not_isolated",
            "on not_isolated.",
        ),
        (
            "ALTER FUNCTION metronix_search_candidates RENAME TO elsewhere",
            "ALTER FUNCTION elsewhere RENAME TO metronix_search_candidates",
            "lacks functions, or DATABASE_URL's role may not call them: metronix_search_candidates.",
        ),
        (
            "UPDATE pg_extension SET extversion = '0.7.4' WHERE extname = 'vector'",
            "UPDATE pg_extension SET extversion = '0.8.6' WHERE extname = 'vector'",
            "The database's pgvector is 0.7.4; 0.8 or newer is needed.",
        ),
    ],
    ids=["no security", "open policy", "new table", "no function", "old pgvector"],
)
def test_a_database_that_is_not_right(services: TestServers, change: str, back: str, sentence: str) -> None:
    # Of a database of its own: the other tests of this worker run in ours before and after, but not meanwhile.
    with changed(services, change, back):
        assert sentence in answers(services.application)
        messages = checks.run_checks(databases=["default"])
        assert [message.id for message in messages] == ["metronix.E002"]
        connection.close()
    assert answers(services.application) == ""


def test_an_empty_database_is_told_to_be_migrated(services: TestServers) -> None:
    with psycopg.connect(services.application.replace(services.database, "postgres"), autocommit=True) as asking:
        told = " | ".join(str(problem) for problem in database_problems(asking.cursor()))
    assert "lacks the extension pgvector" in told
    assert "no tables of Metronix" in told
    assert "METRONIX_DB_ROLE=owner python manage.py migrate" in told


def test_an_unreachable_database_is_a_sentence() -> None:
    with pytest.raises(StartProblem, match="cannot be reached"):
        refuse_bad_url("postgresql://nobody@127.0.0.1:1/nothing")


def test_a_short_shared_key_is_refused(settings: object) -> None:
    settings.METRONIX_MCP_API_KEY = "fifteen letters"
    with pytest.raises(StartProblem, match="15 characters"):
        refuse_bad_settings()
    assert [message.id for message in checks.run_checks()] == ["metronix.E001"]
    settings.METRONIX_MCP_API_KEY = "sixteen letters!"
    refuse_bad_settings()
    assert checks.run_checks() == []
