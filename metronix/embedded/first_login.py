"""The default workspace and the first administrator, made by the application in a process of its own.

`python -m metronix.embedded.first_login` prints one JSON line, read by `first_login` over a pipe: a password on a
command line could be read by every user of the machine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from metronix.embedded.hints import make_manage
from metronix.embedded.one_off import run_python
from metronix.embedded.problems import StartProblem


@dataclass(frozen=True, slots=True)
class FirstLogin:
    """`password` is None unless the administrator was made just now."""

    email: str
    password: str | None
    workspace_id: str


def first_login(environment: Mapping[str, str]) -> FirstLogin:
    """Make what is missing and tell how to log in."""
    done = run_python(["-m", "metronix.embedded.first_login"], environment)
    if done.returncode != 0:
        look = make_manage("check --database default", Path(environment["METRONIX_HOME"]))
        raise StartProblem(
            f"The first workspace and administrator could not be made:\n{done.stderr.strip()[-2000:]}\n ",
            f"`{look}` may tell why; the data are untouched.",
        )
    # Whatever else printed something stands on earlier lines.
    return FirstLogin(**json.loads(done.stdout.strip().splitlines()[-1]))


def main() -> None:
    """Run inside the project's environment as the application's role."""
    import django

    django.setup()
    from metronix.tenancy.bootstrap import bootstrap

    made = bootstrap()
    print(json.dumps({"email": made.admin_email, "password": made.admin_password, "workspace_id": made.workspace_id}))


if __name__ == "__main__":
    import os

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "metronix.settings")
    main()
