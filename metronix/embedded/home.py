"""The folder that holds everything of one installation (METRONIX_HOME), and the names inside it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from metronix.embedded.files import make_private_folder
from metronix.embedded.problems import StartProblem


@dataclass(frozen=True, slots=True)
class Home:
    """Names below METRONIX_HOME; nothing else spells them out."""

    path: Path

    @property
    def environment(self) -> Path:
        """Addresses and secrets for the other processes of this home (metronix.embedded.state)."""
        return self.path / "environment.json"

    @property
    def secrets(self) -> Path:
        """Passwords of the database roles and the signing keys; made once and kept."""
        return self.path / "secrets.json"

    @property
    def places(self) -> Path:
        """Where data and sockets lie, should they not lie here."""
        return self.path / "places.json"

    @property
    def run(self) -> Path:
        """Lock, process records, the scheduler's file."""
        return self.path / "run"

    @property
    def logs(self) -> Path:
        """One log per child."""
        return self.path / "logs"

    @property
    def redis(self) -> Path:
        """Redis's data."""
        return self.path / "redis"

    def log(self, child: str) -> Path:
        """The log of one child."""
        return self.logs / f"{child}.log"


def open_home(path: Path) -> Home:
    """The home at `path` with its folders, created 0700 where they are missing."""
    home = Home(path.expanduser().absolute())
    folders = (home.path, home.run, home.logs, home.redis)
    try:
        for folder in folders:
            make_private_folder(folder)
    except OSError as problem:
        raise StartProblem(
            f"METRONIX_HOME {home.path} cannot be used: {problem.strerror} ({problem.filename}).",
            "Give a folder of your own: METRONIX_HOME=<folder>.",
        ) from problem
    closed = [folder for folder in folders if not os.access(folder, os.R_OK | os.W_OK | os.X_OK)]
    if closed:
        raise StartProblem(
            f"METRONIX_HOME {home.path} belongs to another user ({closed[0]} is closed to us).",
            "Start it as that user, or give a folder of your own: METRONIX_HOME=<folder>.",
        )
    return home


def home_path() -> Path:
    """METRONIX_HOME as the settings understand it, for what runs before Django."""
    return Path(os.environ.get("METRONIX_HOME") or ".metronix").expanduser().absolute()
