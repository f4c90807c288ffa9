"""What the embedded services leave for other processes of the same METRONIX_HOME (addresses and secrets).

Standard library only: the settings import it before Django is configured.
"""

from __future__ import annotations

import json
from pathlib import Path

from metronix.embedded.problems import StartProblem


def stored_environment(home: Path) -> dict[str, str]:
    """Environment variables kept in `<home>/environment.json` (mode 0600), or nothing where there is no such file."""
    path = home / "environment.json"
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return {}
    except OSError as problem:
        raise StartProblem(
            f"{path} cannot be read ({problem.strerror}).",
            "METRONIX_HOME may belong to another user: start as that user, or name a folder of your own.",
        ) from problem
    except ValueError as problem:
        raise StartProblem(f"{path} is damaged ({problem}).", "Remove it; `make run` writes it anew.") from problem
