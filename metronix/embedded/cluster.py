"""The data folder of the embedded PostgreSQL: made once, whole or not at all, closed to everyone but its server."""

from __future__ import annotations

import locale
import os
import shutil
import subprocess
from pathlib import Path

from metronix.embedded.child import tied_to_parent
from metronix.embedded.places import Places
from metronix.embedded.problems import StartProblem
from metronix.embedded.programs import major_version

SUPERUSER = "postgres"


def ensure_cluster(places: Places, programs: Path, superuser_password: str) -> bool:
    """Make the data folder where there is none (True) and refuse one of another major version."""
    if places.data.is_dir():
        _check_version(places)
        return False
    unfinished = places.postgres / "data.part"
    # A killed initdb leaves a folder that looks whole to the server but is not; only a finished one gets the name.
    shutil.rmtree(unfinished, ignore_errors=True)
    password_file = _password_file(places, superuser_password)
    try:
        _initdb(places, programs, unfinished, password_file)
    finally:
        password_file.unlink(missing_ok=True)
    unfinished.rename(places.data)
    return True


def _initdb(places: Places, programs: Path, folder: Path, password_file: Path) -> None:
    command = [
        str(programs / "initdb"),
        f"--pgdata={folder}",
        f"--username={SUPERUSER}",
        f"--pwfile={password_file}",
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--locale=C",
        f"--lc-ctype={_character_classes()}",
        "--no-instructions",
    ]
    identity = places.user.popen if places.user else {}
    done = subprocess.run(
        command,
        cwd="/",
        env=clean_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=tied_to_parent(),
        **identity,
    )
    if done.returncode != 0:
        raise StartProblem(
            f"PostgreSQL's data folder could not be made in {places.postgres}: {done.stderr.strip()[-600:]}",
            "Check that the disk has room (about 60 MB) and the folder may be written, then start again.",
        )


def _character_classes() -> str:
    """The C library's locale for what the builtin provider leaves to it.

    pg_trgm asks the C library what a letter is: under plain C it finds no trigram in a word that is not ASCII.
    """
    before = locale.setlocale(locale.LC_CTYPE)
    try:
        for name in ("C.UTF-8", "C.utf8", "en_US.UTF-8", "UTF-8"):
            try:
                locale.setlocale(locale.LC_CTYPE, name)
            except locale.Error:
                continue
            return name
    finally:
        locale.setlocale(locale.LC_CTYPE, before)
    return "C"


def clean_environment() -> dict[str, str]:
    """PG* variables of the caller (PGDATA, PGPORT, PGHOST, ...) are meant for another server."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "TZ", "TMPDIR")}
    return kept | {"LC_ALL": "C"}


def _check_version(places: Places) -> None:
    found = (places.data / "PG_VERSION").read_text(encoding="ascii").strip()
    if found != major_version():
        raise StartProblem(
            f"{places.data} was made by PostgreSQL {found}; the programs installed here are {major_version()}.",
            f"Install the release of Metronix that made it, `pg_dump` there and restore here into a new METRONIX_HOME; "
            f"or run a PostgreSQL {found} of your own on it and name it in DATABASE_URL. Nothing was changed.",
        )


def _password_file(places: Places, password: str) -> Path:
    path = places.postgres / "initdb.password"
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        if places.user:
            os.fchown(file.fileno(), places.user.uid, places.user.gid)
        file.write(password + "\n")
    return path
