"""As whom PostgreSQL runs: ourselves, or (when we are root, which PostgreSQL refuses) a system user without rights."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metronix.embedded.problems import StartProblem

PREFERRED = "metronix"
STAND_INS = ("postgres", "nobody")


@dataclass(frozen=True, slots=True)
class ServerUser:
    """A system user; `popen` holds the arguments that make a child run as it, without root's groups."""

    name: str
    uid: int
    gid: int

    @property
    def popen(self) -> dict[str, Any]:
        """Arguments for subprocess.Popen."""
        return {"user": self.uid, "group": self.gid, "extra_groups": []}


def server_user(data: Path) -> ServerUser | None:
    """The user for PostgreSQL, or None to run as ourselves; existing data decide, as only their owner may open them."""
    if os.geteuid() != 0:
        return None
    if data.exists() and (owner := data.stat().st_uid) != 0:
        return _user_of(pwd.getpwuid(owner))
    for name in (PREFERRED, *STAND_INS):
        try:
            return _user_of(pwd.getpwnam(name))
        except KeyError:
            if name == PREFERRED and _create_preferred():
                return _user_of(pwd.getpwnam(name))
    raise StartProblem(
        "PostgreSQL refuses to run as root, and there is no other user to run it as.",
        "Create one: useradd --system metronix.",
    )


def may_enter(user: ServerUser, folder: Path) -> bool:
    """Whether the user really gets into the folder (modes alone do not tell: ACLs, mounts, security modules)."""
    return _succeeds(user, ["/bin/sh", "-c", 'cd "$1"', "sh", str(folder)])


def may_run(user: ServerUser, program: Path) -> bool:
    """Whether the user really can execute the program with its libraries."""
    return _succeeds(user, [str(program), "--version"])


def _succeeds(user: ServerUser, command: Sequence[str]) -> bool:
    try:
        done = subprocess.run(
            command, cwd="/", stdin=subprocess.DEVNULL, capture_output=True, timeout=30, check=False, **user.popen
        )
    except (PermissionError, FileNotFoundError):
        return False
    return done.returncode == 0


def _user_of(entry: pwd.struct_passwd) -> ServerUser:
    return ServerUser(entry.pw_name, entry.pw_uid, entry.pw_gid)


def _create_preferred() -> bool:
    useradd = shutil.which("useradd")
    if useradd is None:
        return False
    command = [useradd, "--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent"]
    done = subprocess.run(
        [*command, "--shell", "/usr/sbin/nologin", PREFERRED],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    # 9: the name is taken already, by a second start at the same moment.
    return done.returncode in (0, 9)
