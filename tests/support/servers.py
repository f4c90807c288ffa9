"""Real PostgreSQL and Redis for one pytest run, and one database of its own for each of its workers.

The first process of the run (the xdist controller, or pytest itself) starts the servers and migrates the template; the
workers find them through METRONIX_TEST_HOME. Everything ends with the first process, even if it is killed.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from urllib.parse import urlencode

from metronix.embedded import database_roles
from metronix.embedded.attach import services_of
from metronix.embedded.files import read_json
from metronix.embedded.home import Home
from metronix.embedded.outside import merged, without_given
from metronix.embedded.temporary_home import temporary_home

HOME_VARIABLE = "METRONIX_TEST_HOME"
TEMPLATE = database_roles.DATABASE


@dataclass(frozen=True, slots=True)
class TestServers:
    """Addresses of this worker's database and Redis; `superuser` and `owner` are for checks and set-up alone."""

    __test__ = False

    home: Path
    database: str
    application: str
    owner: str
    superuser: str
    redis: str

    def environment(self) -> dict[str, str]:
        """The variables that point a process at these servers."""
        return {
            "METRONIX_HOME": str(self.home),
            "DATABASE_URL": self.application,
            "DATABASE_OWNER_URL": self.owner,
            "REDIS_URL": self.redis,
        }


@contextmanager
def servers_of_run() -> Iterator[Path]:
    """Start both servers in a temporary home and migrate; yields the home."""
    inherited = without_given(os.environ) | {"DJANGO_SETTINGS_MODULE": "metronix.settings"}
    with temporary_home() as home, services_of(home, "pytest", inherited=inherited, durable=False):
        yield home.path


def servers_of_worker(home: Path, worker: int) -> TestServers:
    """Create the worker's own database from the migrated template and give it a Redis database."""
    secrets = read_json(Home(home).secrets)
    socket = read_json(Home(home).places)["postgres_socket"]
    name = f"test_{worker}"
    with database_roles.superuser_connection(socket, secrets["superuser_password"]) as connection:
        # Two workers copying the template at once would each count as the other's reason to refuse.
        connection.execute("SELECT pg_advisory_lock(7337)")
        database_roles.ensure_database(connection, name, TEMPLATE)
    stored = read_json(Home(home).environment)

    def url(role: str, secret: str) -> str:
        return f"postgresql://{role}:{secrets[secret]}@/{name}?{urlencode({'host': socket})}"

    return TestServers(
        home=home,
        database=name,
        application=url(database_roles.APPLICATION, "application_password"),
        owner=url(database_roles.OWNER, "owner_password"),
        superuser=url("postgres", "superuser_password"),
        redis=stored["REDIS_URL"].replace("?db=0", f"?db={worker + 1}"),
    )


def point_process_at(servers: TestServers) -> None:
    """Make the settings, and every subprocess a test starts, use these servers."""
    clean = merged(without_given(os.environ), servers.environment())
    os.environ.clear()
    os.environ.update(clean)


@contextmanager
def ended_in_order() -> Iterator[None]:
    """While cleaning up, signals wait: a second Ctrl-C must not leave a folder behind."""
    waiting = {signal.SIGINT, signal.SIGTERM}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, waiting)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_like_ctrl_c(number: int, frame: FrameType | None) -> None:
    """SIGTERM ends a run as Ctrl-C does, so that the servers are stopped and the folder is removed."""
    raise KeyboardInterrupt
