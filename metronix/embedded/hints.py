"""Commands to print: such that they can be pasted as they stand, whatever home they are meant for."""

from __future__ import annotations

import shlex
from pathlib import Path

from metronix.embedded.one_off import PROJECT


def make_manage(arguments: str, home: Path) -> str:
    """`make manage` for a home; the home is named where it is not the default one."""
    return f'make manage ARGS="{arguments}"{make_home(home)}'


def make_home(home: Path) -> str:
    """The home as a variable of a make call, with a blank before it; nothing for the default home."""
    if home == PROJECT / ".metronix":
        return ""
    # Quoted even where the shell would not need it: the reader sees where the path ends. A dollar is make's own sign.
    path = str(home).replace("$", "$$")
    return f" METRONIX_HOME={shlex.quote(path) if shlex.quote(path) != path else repr(path)}"


def shown(path: Path) -> str:
    """The path as the user would type it."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
