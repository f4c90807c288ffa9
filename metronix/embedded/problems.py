"""What keeps the embedded services from running, told so that the reader knows the next step."""

from __future__ import annotations

from pathlib import Path


class StartProblem(Exception):
    """One sentence on what is wrong and one on what to do; shown without a traceback."""

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(f"{message} {advice}")
        self.message = message
        self.advice = advice


def last_lines(log: Path, count: int = 8) -> str:
    """The end of a child's log, indented, for the message that reports the child's death."""
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-count:]
    except OSError as problem:
        return f"    ({log} cannot be read: {problem.strerror})"
    return "\n".join(f"    {line}" for line in lines) or f"    ({log} is empty)"
