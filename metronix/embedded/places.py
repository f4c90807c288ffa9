"""Where PostgreSQL's data, its programs and the sockets lie: below the home wherever that is possible.

Two things push them out: a server user who cannot enter the home (we are root), and the kernel's limit of 107 bytes on
a socket's path. Wherever they go is noted in `places.json`, with the home's own path, by which a copy is told from a
home that was moved.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from metronix.embedded.files import make_private_folder, read_json, write_json
from metronix.embedded.home import Home
from metronix.embedded.home_identity import claim, noted_places
from metronix.embedded.problems import StartProblem
from metronix.embedded.server_user import ServerUser, may_enter, server_user

OUTSIDE = Path("/var/lib/metronix")
SOCKET_PATH_BYTES = 96
POSTGRES_SOCKET_NAME = ".s.PGSQL.5432"
_PLAIN = re.compile(r"[A-Za-z0-9/._+=@~-]+")


@dataclass(frozen=True, slots=True)
class Places:
    """Folders settled for one home. `postgres` holds `data` and (should it be needed) a copy of the programs."""

    postgres: Path
    postgres_socket: Path
    redis_socket: Path
    user: ServerUser | None

    @property
    def data(self) -> Path:
        """PostgreSQL's data folder."""
        return self.postgres / "data"

    @property
    def redis_socket_file(self) -> Path:
        """The socket Redis listens on."""
        return self.redis_socket / "redis.sock"


def settle_places(home: Home) -> Places:
    """Decide, create and note the folders; the same home gets the same answer as long as it holds."""
    noted = noted_places(home)
    postgres = Path(noted["postgres"]) if "postgres" in noted else None
    user = server_user((postgres or home.path / "postgres") / "data")
    if postgres is None:
        postgres = _postgres_folder(home, user)
    elif user and not may_enter(user, postgres.parent):
        raise StartProblem(
            f"The user {user.name}, who runs PostgreSQL, can no longer enter {postgres.parent}.",
            f"Let it (chmod o+x on the folders above), or move {postgres} and correct {home.places}.",
        )
    owner = {"uid": user.uid, "gid": user.gid} if user else {}
    make_private_folder(postgres, **owner)
    claim(home, postgres)
    postgres_socket = _socket_folder(postgres / "socket", noted.get("postgres_socket"), POSTGRES_SOCKET_NAME, user)
    redis_socket = _socket_folder(home.run, noted.get("redis_socket"), "redis.sock", None)
    places = Places(postgres, postgres_socket, redis_socket, user)
    settled = {
        "home": str(home.path),
        "postgres": str(postgres),
        "postgres_socket": str(postgres_socket),
        "redis_socket": str(redis_socket),
        "outside": [str(path) for path in (postgres, postgres_socket, redis_socket) if home.path not in path.parents],
    }
    if settled != noted:
        write_json(home.places, settled)
    return places


def remove_sockets(home: Home, places: Places) -> None:
    """Remove the temporary socket folders of stopped servers; the next start makes new ones."""
    for folder in (places.postgres_socket, places.redis_socket):
        if home.path not in folder.parents and places.postgres not in folder.parents:
            shutil.rmtree(folder, ignore_errors=True)


def outside_folders(home: Home) -> list[Path]:
    """What belongs to this home but lies elsewhere: to be removed with it."""
    return [Path(path) for path in read_json(home.places).get("outside", [])]


def _postgres_folder(home: Home, user: ServerUser | None) -> Path:
    if user is None or may_enter(user, home.path):
        return home.path / "postgres"
    if not OUTSIDE.is_dir():
        OUTSIDE.mkdir(mode=0o711, parents=True)
        # mkdir's mode passes through the umask; under 077 the server's user could not get through.
        OUTSIDE.chmod(0o711)
    if not may_enter(user, OUTSIDE):
        raise StartProblem(
            f"The user {user.name}, who runs PostgreSQL, can enter neither {home.path} nor {OUTSIDE}.",
            "Start as a normal user, or give a home that others may enter: METRONIX_HOME=<folder>.",
        )
    # Not a name made from the home's path: whoever deletes a home and starts a new one in its place would meet the old
    # data, whose passwords went with the old home.
    return OUTSIDE / secrets.token_hex(6)


def _socket_folder(wanted: Path, noted: str | None, file_name: str, user: ServerUser | None) -> Path:
    owner = {"uid": user.uid, "gid": user.gid} if user else {}
    # Plain letters only: these paths stand in URLs and in a comma-separated setting.
    if len(os.fsencode(wanted / file_name)) <= SOCKET_PATH_BYTES and _PLAIN.fullmatch(str(wanted)):
        make_private_folder(wanted, **owner)
        return wanted
    if noted and _still_private(Path(noted), user):
        return Path(noted)
    base = tempfile.gettempdir() if len(tempfile.gettempdir()) < SOCKET_PATH_BYTES // 2 else "/tmp"
    folder = Path(tempfile.mkdtemp(prefix="metronix-", dir=base))
    if user:
        os.chown(folder, user.uid, user.gid)
    return folder


def _still_private(folder: Path, user: ServerUser | None) -> bool:
    """A temporary folder may have been swept away, and the name taken by someone else, since it was noted."""
    try:
        status = folder.lstat()
    except OSError:
        return False
    return folder.is_dir() and status.st_uid == (user.uid if user else os.getuid()) and status.st_mode & 0o777 == 0o700
