"""Whether a home is the one it was, was moved, or is a copy of another, with whose data it must not be started.

`places.json` holds absolute paths: a copy of a home names the folders of the original, and two sets of servers over one
data folder would be the loss of both.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from metronix.embedded.files import read_json, write_private
from metronix.embedded.home import Home
from metronix.embedded.problems import StartProblem

OWNER = "home"
"""The file beside PostgreSQL's data that names the home they belong to."""
PATHS = ("postgres", "postgres_socket", "redis_socket")


def noted_places(home: Home) -> dict[str, Any]:
    """What `places.json` says, with the paths inside a moved home where they are now. Refuses a copied home."""
    noted = read_json(home.places)
    former = Path(noted.get("home", home.path))
    if is_another(home, former):
        raise _copied(home, former, Path(noted.get("postgres", former)))
    for name in PATHS:
        if name in noted and former in Path(noted[name]).parents:
            noted[name] = str(home.path / Path(noted[name]).relative_to(former))
    return noted


def claim(home: Home, postgres: Path) -> None:
    """Note in the data's folder whose it is; refuse one that another existing home uses."""
    note = postgres / OWNER
    other = Path(note.read_text(encoding="utf-8").strip()) if note.exists() else None
    if other == home.path:
        return
    if other and is_another(home, other) and read_json(Home(other).places).get("postgres") == str(postgres):
        raise _copied(home, other, postgres)
    write_private(note, f"{home.path}\n")


def is_another(home: Home, path: Path) -> bool:
    """Whether an existing home lies at `path` that is not this one under another name (a link, a mount)."""
    try:
        return path != home.path and Home(path).run.is_dir() and not path.samefile(home.path)
    except OSError:
        return False


def _copied(home: Home, original: Path, postgres: Path) -> StartProblem:
    if original in postgres.parents:
        advice = f"Or remove {home.places}: the copy then starts with its own copy of the data."
    else:
        advice = (
            f"The memories are not in the copy but in {postgres}; should the original be out of use, remove "
            f"{original} and the copy takes its place."
        )
    return StartProblem(
        f"{home.path} is a copy of {original}, which still exists.", f"Use METRONIX_HOME={original}. {advice}"
    )
