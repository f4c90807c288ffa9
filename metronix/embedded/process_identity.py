"""Who a process id belongs to: an id alone is reused by the system, an id with its start time is not."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import psutil


def start_mark(pid: int) -> str | None:
    """A text that differs for every process that ever had this id, or None when there is no such process (any more).

    On Linux the kernel's own tick count and boot id: psutil's wall-clock time moves when the clock is set.
    """
    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return None
        stat = Path(f"/proc/{pid}/stat")
        if stat.exists():
            ticks = stat.read_text().rpartition(")")[2].split()[19]
            return f"{_boot_id()}:{ticks}"
        return f"{process.create_time():.2f}"
    except (psutil.NoSuchProcess, FileNotFoundError, ProcessLookupError):
        return None


def is_same_process(pid: int, mark: str) -> bool:
    """True while the process noted with `mark` still runs."""
    return start_mark(pid) == mark


@cache
def _boot_id() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
