"""The suite's set-up: real servers, the application's role as the default connection, commits that are commits.

The application's role may not TRUNCATE, so nothing is flushed or rolled back between tests: access to the database is
open for the whole session, and each test works in a workspace of its own.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from pytest_django.plugin import DjangoDbBlocker

from tests.support.live import LivePlatform, live_platform_process
from tests.support.servers import (
    HOME_VARIABLE,
    TestServers,
    end_like_ctrl_c,
    ended_in_order,
    point_process_at,
    servers_of_run,
    servers_of_worker,
)

SERVERS = pytest.StashKey[TestServers]()


def pytest_configure(config: pytest.Config) -> None:
    """Start the servers (once per run) or find them (in a worker), then configure Django for them."""
    if "django" in sys.modules and __import__("django.conf").conf.settings.configured:
        raise pytest.UsageError("Django was configured before the test servers ran: unset DJANGO_SETTINGS_MODULE.")
    worker = getattr(config, "workerinput", {}).get("workerid")
    if worker is None and not config.option.collectonly:
        _start_servers(config)
    distributed = worker is None and bool(getattr(config.option, "numprocesses", None))
    if HOME_VARIABLE in os.environ and not distributed:
        number = int(worker.removeprefix("gw")) if worker else 0
        servers = servers_of_worker(Path(os.environ[HOME_VARIABLE]), number)
        point_process_at(servers)
        config.stash[SERVERS] = servers
    if not distributed:
        # Not in the controller: its workers would inherit the variable, and pytest-django would load the settings
        # before a worker has its database.
        os.environ["DJANGO_SETTINGS_MODULE"] = "metronix.settings"
        import django

        django.setup()
        # Only now: they import models, and pytest reads conftest files before Django is configured.
        config.pluginmanager.import_plugin("tests.support.fixtures")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests that share a running platform on one worker (`--dist loadgroup`), lest each start its own."""
    for item in items:
        if "live_platform" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("live_platform"))


def _start_servers(config: pytest.Config) -> None:
    stack = ExitStack()

    def close() -> None:
        with ended_in_order():
            stack.close()
            os.environ.pop(HOME_VARIABLE, None)

    config.add_cleanup(close)
    signal.signal(signal.SIGTERM, end_like_ctrl_c)
    os.environ[HOME_VARIABLE] = str(stack.enter_context(servers_of_run()))


@pytest.fixture(scope="session")
def services(pytestconfig: pytest.Config) -> TestServers:
    """Addresses of this worker's servers, the superuser's and the owner's included (for checks, not for code)."""
    return pytestconfig.stash[SERVERS]


@pytest.fixture(scope="session")
def django_db_setup() -> None:
    """Instead of pytest-django's: the database is there and migrated, and our role may create none."""


@pytest.fixture(scope="session", autouse=True)
def database_access(django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Open the database to every test; connections are closed at the end so that the servers stop at once."""
    with django_db_blocker.unblock():
        yield
        from django.db import connections

        connections.close_all()


@pytest.fixture(scope="session")
def live_platform() -> Iterator[LivePlatform]:
    """A whole platform behind `manage.py up`, in a home of its own, shared by this worker's tests."""
    with live_platform_process() as platform:
        yield platform
