"""Migrations: run by the owner's role, and only when the files hold one that the database has not seen."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import psycopg

from metronix.embedded.hints import make_manage
from metronix.embedded.one_off import manage_py, run_python
from metronix.embedded.problems import StartProblem


def migrate(environment: Mapping[str, str]) -> None:
    """Bring the database that the (complete) environment names up to date."""
    done = run_python(
        [str(manage_py()), "migrate", "--no-input", "--verbosity", "0"], {**environment, "METRONIX_DB_ROLE": "owner"}
    )
    if done.returncode != 0:
        look = make_manage("showmigrations", Path(environment["METRONIX_HOME"]))
        raise StartProblem(
            f"The migrations failed:\n{(done.stderr or done.stdout).strip()[-2000:]}\n ",
            "The database is as it was before the failing migration. "
            f"See its plan with `{look}`; data made by a newer release need that release.",
        )


def pending_migrations(owner_url: str) -> bool:
    """Whether any migration file is unknown to the database. Needs a configured Django, but not its connection.

    Asking costs a tenth of a second, `migrate` with nothing to do more than one.
    """
    from django.db.migrations.loader import MigrationLoader

    wanted = set(MigrationLoader(None).disk_migrations or ())
    try:
        with psycopg.connect(owner_url, connect_timeout=10) as connection:
            if connection.execute("SELECT to_regclass('django_migrations')").fetchone() == (None,):
                return True
            applied = set(connection.execute("SELECT app, name FROM django_migrations").fetchall())
    except psycopg.OperationalError as problem:
        raise StartProblem(
            f"The database in DATABASE_OWNER_URL cannot be reached: {str(problem).strip()}.",
            "Check that it runs and that the URL is right.",
        ) from problem
    return not wanted <= applied
