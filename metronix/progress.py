"""Progress of long commands: a bar with rate and time left on a terminal, a line every few seconds on a pipe."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

LINE_EVERY_SECONDS = 5.0


class Reporter:
    """`with Reporter("importing", total) as report: report(done)`; writes to stderr, so that stdout stays a result."""

    def __init__(self, label: str, total: int | None, stream: TextIO | None = None) -> None:
        self.label = label
        self.total = total
        self.stream = stream or sys.stderr
        self.started = time.monotonic()
        self.last_line = self.started
        self.bar: Progress | None = None

    def __enter__(self) -> Reporter:
        if self.stream.isatty():
            self.bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[rate]}/s"),
                TimeRemainingColumn(),
                console=Console(file=self.stream),
            )
            self.bar.start()
            self.task = self.bar.add_task(self.label, total=self.total, rate="-")
        return self

    def __call__(self, done: int) -> None:
        """Tell how far the work is."""
        now = time.monotonic()
        rate = f"{done / max(now - self.started, 0.001):.0f}"
        if self.bar is not None:
            self.bar.update(self.task, completed=done, rate=rate)
        elif now - self.last_line >= LINE_EVERY_SECONDS:
            self.last_line = now
            print(f"{self.label}: {done:,} of {self.total or '?'}, {rate}/s", file=self.stream, flush=True)

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()
