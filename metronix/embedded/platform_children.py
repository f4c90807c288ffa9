"""The project's own processes: web, worker, beat."""

from __future__ import annotations

import signal
import sys
from collections.abc import Mapping

from metronix.embedded.child import ChildSpec
from metronix.embedded.home import Home
from metronix.embedded.one_off import PROJECT
from metronix.embedded.options import UpOptions, is_loopback

POOL = 20
POOL_OF_ALL_WEB_WORKERS = 60
"""PostgreSQL allows 100 connections; the rest is for workers, commands and people."""
GRACEFUL_SECONDS = 3


def platform_specs(home: Home, options: UpOptions, environment: Mapping[str, str]) -> list[ChildSpec]:
    """How to run the three; `environment` is complete."""
    base = {**environment, "METRONIX_DB_ROLE": "application", "PYTHONUNBUFFERED": "1"}
    return [_web(home, options, base), _worker(home, options, base), _beat(home, base)]


def _web(home: Home, options: UpOptions, base: Mapping[str, str]) -> ChildSpec:
    pool = min(POOL, max(4, POOL_OF_ALL_WEB_WORKERS // options.web_workers))
    environment = {**base, "METRONIX_DB_POOL": base.get("METRONIX_DB_POOL") or str(pool)}
    if not is_loopback(options.host) and not base.get("ALLOWED_HOSTS") and options.host not in ("0.0.0.0", "::"):
        environment["ALLOWED_HOSTS"] = f"127.0.0.1,localhost,[::1],{options.host}"
    command = [sys.executable, "-m", "uvicorn", "metronix.asgi:application"]
    command += ["--host", options.host, "--port", str(options.port), "--workers", str(options.web_workers)]
    # Streams stay open as long as their readers like; without a limit one of them would hold up the stop for ever.
    command += ["--timeout-graceful-shutdown", str(GRACEFUL_SECONDS), "--no-access-log"]
    # A forwarded address is a claim of the caller; `deploy/` turns this on behind a proxy that sets it.
    command += ["--no-proxy-headers"]
    return ChildSpec(
        name="web",
        command=tuple(command),
        log=home.log("web"),
        environment=environment,
        cwd=str(PROJECT),
        stop=((signal.SIGTERM, GRACEFUL_SECONDS + 3.0), (signal.SIGINT, 1.0)),
        hint="`make manage ARGS=check` finds faults in the settings.",
    )


def _worker(home: Home, options: UpOptions, base: Mapping[str, str]) -> ChildSpec:
    command = [sys.executable, "-m", "celery", "-A", "metronix.celery", "worker", "--loglevel", "INFO"]
    command += ["--pool", "prefork", "--concurrency", str(options.celery_concurrency)]
    # One worker has nobody to gossip with, and asking for others costs a second at every start.
    command += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    return ChildSpec(
        name="worker",
        command=tuple(command),
        log=home.log("worker"),
        environment=dict(base),
        cwd=str(PROJECT),
        # Embedding in bulk takes every core it can get; a query's own embedding must come first.
        nice=10,
        # SIGTERM lets the running task end, SIGQUIT gives it back to the queue.
        stop=((signal.SIGTERM, 8.0), (signal.SIGQUIT, 5.0)),
        orphan_signal=signal.SIGQUIT,
        hint="Make sure that Redis and the database answer (`make manage ARGS=check`).",
    )


def _beat(home: Home, base: Mapping[str, str]) -> ChildSpec:
    command = [sys.executable, "-m", "celery", "-A", "metronix.celery", "beat", "--loglevel", "INFO"]
    command += ["--schedule", str(home.run / "beat-schedule"), "--pidfile", ""]
    return ChildSpec(
        name="beat",
        command=tuple(command),
        log=home.log("beat"),
        environment=dict(base),
        cwd=str(PROJECT),
        stop=((signal.SIGTERM, 5.0),),
        hint=f"Its memory {home.run / 'beat-schedule'} may be removed; it is made anew.",
    )
