"""`manage.py up`: start everything in order, keep it alive, stop it in order."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping
from types import FrameType

from metronix.embedded.banner import banner, shown
from metronix.embedded.first_login import FirstLogin, first_login
from metronix.embedded.home import Home
from metronix.embedded.home_lock import HomeLock
from metronix.embedded.migrations import migrate, pending_migrations
from metronix.embedded.options import UpOptions, refuse_taken_port
from metronix.embedded.platform_children import platform_specs
from metronix.embedded.services import Services
from metronix.embedded.steps import step
from metronix.embedded.supervision import Supervision
from metronix.embedded.web_ready import wait_for_web

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(BaseException):
    """A signal asked us to stop."""


class Platform:
    """One run of the platform in one home; `say` prints a line."""

    def __init__(self, home: Home, options: UpOptions, say: Callable[[str], None], *, auth: bool) -> None:
        self.home = home
        self.options = options
        self.say = say
        self.auth = auth
        self._signals = 0

    def run(self, inherited: Mapping[str, str] = os.environ) -> None:
        """Returns after a signal has stopped everything; raises StartProblem when it cannot run (any more)."""
        lock = HomeLock(self.home, "manage.py up")
        lock.acquire()
        services: Services | None = None
        for number in STOPPING:
            signal.signal(number, self._on_signal)
        try:
            services = Services(self.home, inherited)
            # Only now: a killed run's web process, which would hold the port, has just been ended.
            refuse_taken_port(self.options.host, self.options.port)
            self._start(services)
            lock.mark_ready()
            Supervision(services, lambda line: self.say(f"  ! {line}")).watch()
        except Stopped:
            self.say("  Stopping ... (again: at once)")
        finally:
            self._signals = max(self._signals, 1)
            lock.mark_ready(False)
            if services is not None:
                services.stop(lambda: self._signals > 1)
            lock.release()
        self.say("  Stopped.")

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self._signals += 1
        # Only the first one raises: later ones come while children are being stopped, which must go on to its end.
        if self._signals == 1:
            raise Stopped

    def _start(self, services: Services) -> None:
        with step(self.say, "PostgreSQL") as current:
            version = services.start_postgres()
            current.title = f"PostgreSQL {version.partition('.')[0]}".strip()
            current.remark = f"{shown(services.places.postgres)}, socket only" if version else "DATABASE_URL"
        with step(self.say, "Redis") as current:
            version = services.start_redis()
            current.title = f"Redis {version.partition('.')[0]}".strip()
            current.remark = "" if version else "REDIS_URL"
        environment = services.environment
        with step(self.say, "migrations") as current:
            if pending_migrations(environment["DATABASE_OWNER_URL"]):
                migrate(environment)
            else:
                current.remark = "up to date"
        with step(self.say, "web, worker, beat"):
            login = self._start_children(services, environment)
        self.say(banner(self.options, self.home.path, login, environment, auth=self.auth))

    def _start_children(self, services: Services, environment: Mapping[str, str]) -> FirstLogin:
        web, worker, beat = platform_specs(self.home, self.options, environment)
        # The web process loads while the first login is made; nobody has been told its address yet.
        web_child = services.run(web)
        login = first_login(environment)
        wait_for_web(web_child, self.options)
        services.run(worker)
        services.run(beat)
        return login
