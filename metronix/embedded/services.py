"""PostgreSQL and Redis of one home: started, prepared, written down for other processes, stopped."""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping
from functools import cached_property
from urllib.parse import quote, urlencode

from metronix.embedded import database_roles, redis_server
from metronix.embedded.child import Child, ChildSpec, start_child
from metronix.embedded.cluster import ensure_cluster
from metronix.embedded.files import write_json
from metronix.embedded.home import Home
from metronix.embedded.outside import given_servers, merged
from metronix.embedded.places import Places, settle_places
from metronix.embedded.postgres_server import postgres_spec, wait_for_postgres
from metronix.embedded.programs import program_folder
from metronix.embedded.records import ChildRecords
from metronix.embedded.secrets_file import kept_secrets

KEYS = ("SECRET_KEY", "JWT_SECRET")
STOP_TOGETHER = ("beat", "web", "worker")
STOP_ORDER = (*STOP_TOGETHER, "redis", "postgres")
WAITING = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}


class Services:
    """The servers of one home. The home's lock must be held by the caller.

    `inherited` is the caller's environment, whose servers are used where it names any. Our own addresses and keys are
    kept in the home's environment.json; what the caller gave is not (an address given once must not outlive the call).
    """

    def __init__(self, home: Home, inherited: Mapping[str, str], *, durable: bool = True) -> None:
        self.home = home
        self.durable = durable
        self.inherited = inherited
        self.given = given_servers(home, inherited)
        self.records = ChildRecords(home)
        self.children: dict[str, Child] = {}
        self.secrets = kept_secrets(home)
        self.own: dict[str, str] = {
            "SECRET_KEY": self.secrets["secret_key"],
            "JWT_SECRET": self.secrets["jwt_secret"],
        }
        self.records.end_leftovers()

    @cached_property
    def places(self) -> Places:
        """Where data and sockets lie; settled when the first embedded server needs it."""
        return settle_places(self.home)

    @property
    def environment(self) -> dict[str, str]:
        """The complete environment for a process of this home."""
        # The caller's SECRET_KEY and JWT_SECRET win over ours, as they do in the settings.
        own = {name: value for name, value in self.own.items() if name not in KEYS or not _is_set(self.inherited, name)}
        return merged(self.inherited, {**own, **self.given, "METRONIX_HOME": str(self.home.path)})

    def start(self) -> None:
        """Start whatever the caller did not bring and write the addresses down."""
        self.start_postgres()
        self.start_redis()

    def start_postgres(self) -> str:
        """Start the server, make roles, database and extensions; returns its version (empty when one was given)."""
        if "DATABASE_URL" in self.given:
            self._write_environment()
            return ""
        programs = program_folder(self.places)
        ensure_cluster(self.places, programs, self.secrets["superuser_password"])
        child = self.run(postgres_spec(self.home, self.places, programs, durable=self.durable))
        version = wait_for_postgres(child, self.places, self.secrets["superuser_password"])
        self._prepare_database()
        self.own["DATABASE_URL"] = self.database_url(database_roles.APPLICATION, "application_password")
        self.own["DATABASE_OWNER_URL"] = self.database_url(database_roles.OWNER, "owner_password")
        self._write_environment()
        return version

    def start_redis(self) -> str:
        """Start the server; returns its version (empty when one was given)."""
        if "REDIS_URL" in self.given:
            self._write_environment()
            return ""
        program, version = redis_server.find_redis(self.home)
        child = self.run(redis_server.redis_spec(self.home, self.places, program, version))
        redis_server.wait_for_redis(child, self.places)
        self.own["REDIS_URL"] = f"unix://{quote(str(self.places.redis_socket_file))}?db=0"
        self._write_environment()
        return ".".join(map(str, version))

    def run(self, spec: ChildSpec) -> Child:
        """Start a child and note it; signals wait, lest one raise between the two and leave a child nobody knows."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, WAITING)
        try:
            child = start_child(spec)
            self.children[spec.name] = child
            self.records.note(child)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return child

    def restart(self, name: str) -> Child:
        """Start a child again that has ended, and wait where others need it."""
        child = self.run(self.children[name].spec)
        if name == "postgres":
            wait_for_postgres(child, self.places, self.secrets["superuser_password"])
        elif name == "redis":
            redis_server.wait_for_redis(child, self.places)
        return child

    def stop(self, hurry: Callable[[], bool] = lambda: False) -> None:
        """Stop all children: those that use the servers, then the queue, then PostgreSQL, the source of truth."""
        for name in STOP_TOGETHER:
            if name in self.children:
                self.children[name].ask_to_stop()
        for name in STOP_ORDER:
            child = self.children.pop(name, None)
            if child is not None:
                child.stop(hurry)
                self.records.forget(name)

    def database_url(self, role: str, secret: str, database: str = database_roles.DATABASE) -> str:
        """A libpq URL over the socket folder."""
        where = urlencode({"host": str(self.places.postgres_socket)})
        return f"postgresql://{role}:{self.secrets[secret]}@/{database}?{where}"

    def _prepare_database(self) -> None:
        socket, password = str(self.places.postgres_socket), self.secrets["superuser_password"]
        with database_roles.superuser_connection(socket, password) as connection:
            database_roles.ensure_roles(
                connection,
                {
                    database_roles.OWNER: self.secrets["owner_password"],
                    database_roles.APPLICATION: self.secrets["application_password"],
                },
            )
            database_roles.ensure_database(connection, database_roles.DATABASE)
        with database_roles.superuser_connection(socket, password, database_roles.DATABASE) as connection:
            database_roles.ensure_schema(connection)

    def _write_environment(self) -> None:
        write_json(self.home.environment, self.own)


def _is_set(environment: Mapping[str, str], name: str) -> bool:
    return bool(environment.get(name) or environment.get(f"{name}_FILE"))
