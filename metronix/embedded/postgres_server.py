"""The embedded PostgreSQL server: no TCP, a closed socket folder, settings for a small machine, durability on."""

from __future__ import annotations

import shutil
import signal
import time
from pathlib import Path

import psycopg

from metronix.embedded.child import Child, ChildSpec
from metronix.embedded.cluster import clean_environment
from metronix.embedded.database_roles import superuser_connection
from metronix.embedded.home import Home
from metronix.embedded.places import Places
from metronix.embedded.problems import StartProblem, last_lines

READY_SECONDS = 60.0
SHARED_MEMORY = Path("/dev/shm")
SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "shared_buffers": "256MB",
    "effective_cache_size": "1GB",
    "work_mem": "16MB",
    "maintenance_work_mem": "256MB",
    "max_wal_size": "1GB",
    "wal_compression": "on",
    "random_page_cost": "1.1",
    # Compiling a query costs more than the short queries of this platform gain.
    "jit": "off",
    "shared_preload_libraries": "pg_stat_statements",
    "password_encryption": "scram-sha-256",
    "log_destination": "stderr",
    "logging_collector": "off",
    "log_line_prefix": "%m [%p] %u@%d ",
    # Statements carry contents: what is deleted must not live on in the log. Errors are the application's to log.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_min_duration_statement": "-1",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "timezone": "UTC",
    "log_timezone": "UTC",
}
THROWAWAY_SETTINGS = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
"""For homes that are removed with the process: what a power failure would lose is lost anyway."""


def postgres_spec(home: Home, places: Places, programs: Path, *, durable: bool = True) -> ChildSpec:
    """How to run the server. Settings go on its command line, so that a new release's apply to old data folders."""
    settings = SETTINGS | {"unix_socket_directories": str(places.postgres_socket)}
    if not durable:
        settings |= THROWAWAY_SETTINGS
    if not SHARED_MEMORY.is_dir() or shutil.disk_usage(SHARED_MEMORY).total < 512 * 1024**2:
        # Containers have 64 MB there: a parallel index build would fail with "could not resize shared memory segment".
        settings |= {"dynamic_shared_memory_type": "mmap"}
    options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    return ChildSpec(
        name="postgres",
        command=(str(programs / "postgres"), "-D", str(places.data), *options),
        log=home.log("postgres"),
        environment=clean_environment(),
        user=places.user,
        # SIGINT rolls back and disconnects everyone; SIGQUIT leaves the rest to crash recovery.
        stop=((signal.SIGINT, 30.0), (signal.SIGQUIT, 5.0)),
        orphan_signal=signal.SIGINT,
        hint="Make sure that the disk is not full and nothing else uses this data folder.",
    )


def wait_for_postgres(child: Child, places: Places, superuser_password: str) -> str:
    """Return the server's version once it takes connections; it may have to recover from a crash first."""
    end = time.monotonic() + READY_SECONDS
    while True:
        if child.has_ended():
            code = child.reap()
            raise StartProblem(
                f"PostgreSQL ended with code {code}. Its log {child.spec.log} says:\n{last_lines(child.spec.log)}\n ",
                child.spec.hint,
            )
        try:
            with superuser_connection(str(places.postgres_socket), superuser_password) as connection:
                return str(connection.info.parameter_status("server_version"))
        except psycopg.OperationalError as problem:
            if "password authentication failed" in str(problem):
                raise StartProblem(
                    f"PostgreSQL does not take the superuser's password in {places.postgres.parent}.",
                    "The file secrets.json and the data folder belong together: put the matching one back.",
                ) from problem
            if time.monotonic() > end:
                raise StartProblem(
                    f"PostgreSQL takes no connections after {READY_SECONDS:.0f} s ({str(problem).strip()}).",
                    f"See {child.spec.log}; after a crash with much unwritten data, start again and wait longer.",
                ) from problem
        time.sleep(0.03)
