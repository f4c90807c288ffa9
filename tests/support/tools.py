"""Programs that some tests drive and not every machine has."""

from __future__ import annotations

import os
import shutil

import pytest


def need_program(*names: str, advice: str) -> str:
    """The path of the first program there is. Without one the test is skipped, but fails in CI, where it must run."""
    for name in names:
        path = shutil.which(name)
        if path is not None:
            return path
    told = f"{' or '.join(names)} is not installed ({advice})"
    if os.environ.get("CI"):
        pytest.fail(told, pytrace=False)
    pytest.skip(told)
