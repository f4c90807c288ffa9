"""What the embedded services leave for other processes of the same METRONIX_HOME (addresses and secrets).

Standard library only: the settings import it before Django is configured.
"""

from __future__ import annotations

import json
from pathlib import Path


def stored_environment(home: Path) -> dict[str, str]:
    """Environment variables kept in `<home>/environment.json` (mode 0600), or nothing where there is no such file."""
    try:
        return dict(json.loads((home / "environment.json").read_text(encoding="utf-8")))
    except FileNotFoundError:
        return {}
