"""Django work that needs a process of its own: the settings of ours were read before the servers had addresses."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from metronix.embedded.child import tied_to_parent

PROJECT = Path(__file__).resolve().parents[2]


def manage_py() -> Path:
    """The project's manage.py."""
    return PROJECT / "manage.py"


def run_python(arguments: Sequence[str], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run this interpreter to the end and return what it printed; it ends with us."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=PROJECT,
        env={**environment, "METRONIX_DB_POOL": "0"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=tied_to_parent(),
    )
