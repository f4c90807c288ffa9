"""Use the services of a home: those that run already, else our own for as long as we need them."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from metronix.embedded.hints import shown
from metronix.embedded.home import Home
from metronix.embedded.home_lock import HomeLock, HomeTaken, UseLock, current_holder
from metronix.embedded.migrations import migrate
from metronix.embedded.outside import given_servers, merged
from metronix.embedded.problems import StartProblem
from metronix.embedded.services import Services
from metronix.embedded.state import stored_environment

ATTACH_SECONDS = 120.0


@contextmanager
def services_of(
    home: Home, what: str, *, inherited: Mapping[str, str] = os.environ, durable: bool = True
) -> Iterator[dict[str, str]]:
    """The complete environment for a process that uses the home's services, which run until the block ends.

    `what` names us to others who find the home taken. Where another process runs the services, it waits for us before
    it stops them (`up` alone does not: whoever stops it wants everything stopped).
    """
    lock = HomeLock(home, what)
    end = time.monotonic() + ATTACH_SECONDS
    while True:
        try:
            lock.acquire()
            break
        except HomeTaken as taken:
            use = UseLock(home)
            use.join()
            try:
                if current_holder(home).ready:
                    yield _environment_of_running(home, inherited)
                    return
            finally:
                use.leave()
            if time.monotonic() > end:
                raise StartProblem(
                    f"The process {taken.holder.pid} holds {home.path} but its services did not get ready.",
                    f"See the logs in {home.logs}, or stop it: kill {taken.holder.pid}.",
                ) from taken
            time.sleep(0.1)
    try:
        yield from _own_services(home, lock, inherited, durable=durable)
    finally:
        lock.release()


def _own_services(
    home: Home, lock: HomeLock, inherited: Mapping[str, str], *, durable: bool
) -> Iterator[dict[str, str]]:
    services = Services(home, inherited, durable=durable)
    try:
        if durable:
            print(f"  Starting PostgreSQL and Redis of {shown(home.path)} for this command ...", file=sys.stderr)
        services.start()
        migrate(services.environment)
        lock.mark_ready()
        yield services.environment
        use = UseLock(home)
        use.wait_for_others(lambda line: print(line, file=sys.stderr))
        # Whoever joins from here on must find the services on their way out, not attach to them.
        lock.mark_ready(False)
        use.leave()
    finally:
        services.stop()


def _environment_of_running(home: Home, inherited: Mapping[str, str]) -> dict[str, str]:
    stored = {name: value for name, value in stored_environment(home.path).items() if not inherited.get(name)}
    values = {**stored, **given_servers(home, inherited), "METRONIX_HOME": str(home.path)}
    for name in ("DATABASE_URL", "REDIS_URL"):
        if name not in values and name not in inherited:
            raise StartProblem(
                f"What runs in {home.path} was started with a {name} of its own, which is not kept.",
                f"Set the same {name} here.",
            )
    return merged(inherited, values)
