"""Migrations: run by the owner's role, in a process of their own, as this one's connections are the application's."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping

from metronix.embedded.problems import StartProblem
from metronix.embedded.services import manage_py


def migrate(environment: Mapping[str, str]) -> None:
    """Bring the database that the (complete) environment names up to date."""
    done = subprocess.run(
        [sys.executable, str(manage_py()), "migrate", "--no-input", "--verbosity", "0"],
        cwd=manage_py().parent,
        env={**environment, "METRONIX_DB_ROLE": "owner", "METRONIX_DB_POOL": "0"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise StartProblem(
            f"The migrations failed:\n{(done.stderr or done.stdout).strip()[-2000:]}\n ",
            "The database is as it was before the failing migration. "
            'See its plan with `make manage ARGS="showmigrations"`; data made by a newer release need that release.',
        )
