"""The lines that tell how far the start has come."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

NAME_WIDTH = 20


@dataclass(slots=True)
class Step:
    """A step under way; its title and remark may be filled in while it runs."""

    title: str
    remark: str = ""


@contextmanager
def step(say: Callable[[str], None], title: str) -> Iterator[Step]:
    """Print one line when the block ends: a tick with the seconds it took, or a cross."""
    current = Step(title)
    begun = time.monotonic()
    try:
        yield current
    except Exception:
        say(f"  ✗ {current.title}")
        raise
    seconds = time.monotonic() - begun
    say(f"  ✓ {current.title:<{NAME_WIDTH}} {seconds:4.1f} s   {current.remark}".rstrip())
