"""Servers that the caller brings along (DATABASE_URL, REDIS_URL): where one is named, no embedded one is started."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from metronix.embedded.home import Home
from metronix.embedded.problems import StartProblem
from metronix.embedded.state import stored_environment


def given_servers(home: Home, environment: Mapping[str, str]) -> dict[str, str]:
    """The addresses among DATABASE_URL, DATABASE_OWNER_URL and REDIS_URL that the caller really gave.

    A value equal to the home's own is no gift: the settings copy those into the environment of every process.
    """
    stored = stored_environment(home.path)
    given = {}
    for name in ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL"):
        value = environment.get(name) or _from_file(environment.get(f"{name}_FILE"), name)
        if value and value != stored.get(name):
            given[name] = value
    if "DATABASE_URL" in given and "DATABASE_OWNER_URL" not in given:
        raise StartProblem(
            "DATABASE_URL is set, but DATABASE_OWNER_URL is not, and the application's role may not migrate.",
            "Set DATABASE_OWNER_URL to the same database as the role that owns it (docs/settings.md), or unset both.",
        )
    if "DATABASE_OWNER_URL" in given and "DATABASE_URL" not in given:
        raise StartProblem(
            "DATABASE_OWNER_URL is set, but DATABASE_URL is not.",
            "Set DATABASE_URL to the same database as the application's role, or unset both for the embedded server.",
        )
    return given


def without_given(environment: Mapping[str, str]) -> dict[str, str]:
    """A copy of the environment without any server address, for homes that must use their own servers."""
    names = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "DATABASE_REPLICA_URL", "SECRET_KEY", "JWT_SECRET")
    dropped = {*names, *(f"{name}_FILE" for name in names)}
    return {name: value for name, value in environment.items() if name not in dropped}


def merged(base: Mapping[str, str], values: Mapping[str, str]) -> dict[str, str]:
    """`base` with `values`, for a child: a NAME_FILE beside a NAME would be refused as a contradiction."""
    return {name: value for name, value in base.items() if name.removesuffix("_FILE") not in values} | dict(values)


def _from_file(path: str | None, name: str) -> str:
    if not path:
        return ""
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError as problem:
        raise StartProblem(
            f"{name}_FILE: {path} cannot be read ({problem.strerror}).", "Correct the path."
        ) from problem
