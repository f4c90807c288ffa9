"""Private folders and files: made closed from the first moment, and never by opening or closing an existing one."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any


def make_private_folder(path: Path, *, uid: int | None = None, gid: int | None = None) -> None:
    """Create `path` as 0700 (given to `uid` where one is named); an existing folder keeps its mode and owner.

    Missing parents get the process's usual mode: closing them would lock others out of folders they share.
    """
    if path.is_dir():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode=0o700, exist_ok=True)
    if uid is not None:
        os.chown(path, uid, uid if gid is None else gid)


def write_private(path: Path, text: str) -> None:
    """Replace the file at once by one of mode 0600, so that a reader meets the old or the new text, never half."""
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_json(path: Path, value: Any) -> None:
    """`write_private` of a JSON document."""
    write_private(path, json.dumps(value, indent=2, sort_keys=True) + "\n")


def read_json(path: Path) -> dict[str, Any]:
    """The JSON object in the file, or an empty one where there is no file."""
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return {}
