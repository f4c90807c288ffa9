"""`manage.py reembed`: change the embedding model, go back, or clear the former one away."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory.reembedding import ChangeReport, change_model, prune_models, roll_back
from metronix.errors import MetronixError
from metronix.ports.embedder import EmbedderUnavailable, get_embedder
from metronix.progress import Reporter

SHOWN = 20
RESUME = "Nothing is lost: run the same command again to resume."


class Command(BaseCommand):
    """Safe to interrupt and to repeat; search and stores go on throughout."""

    help = "Embed all records with the configured model (EMBEDDER_*), then make it the one that search uses."

    def add_arguments(self, parser: CommandParser) -> None:
        """What to do and how much at once."""
        parser.add_argument("--batch", type=int, default=32, help="records embedded at once (default 32)")
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--rollback", action="store_true", help="make the former model current again")
        what.add_argument("--prune", action="store_true", help="delete vectors and index of all but the current model")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run, report, and fail if a text could not be embedded."""
        if not 1 <= options["batch"] <= 1_000:
            raise CommandError("--batch must lie between 1 and 1000.")
        # Searches of the same machine go first.
        os.nice(10)
        started = time.monotonic()
        try:
            with Steps() as progress:
                if options["prune"]:
                    pruned = prune_models(progress=progress)
                    self.stdout.write(f"Deleted: {', '.join(pruned) or 'nothing, there is one model only'}.")
                    return
                change: Callable[[], ChangeReport] = (
                    (lambda: roll_back(batch=options["batch"], progress=progress))
                    if options["rollback"]
                    else (lambda: change_model(get_embedder(), batch=options["batch"], progress=progress))
                )
                report = change()
        except KeyboardInterrupt:
            raise CommandError(f"Stopped. {RESUME}") from None
        except EmbedderUnavailable as problem:
            raise CommandError(f"{problem} {RESUME}") from None
        except ImproperlyConfigured as problem:
            raise CommandError(str(problem)) from None
        except MetronixError as problem:
            raise CommandError(f"{problem.message} {problem.hint}".strip()) from None
        seconds = time.monotonic() - started
        for number, reason in list(report.refused.items())[:SHOWN]:
            self.stderr.write(f"not embedded: {number}: {reason}")
        done = "is current now" if report.switched else "was current already"
        self.stdout.write(
            f"{report.model} {done}; {report.texts} texts embedded, {len(report.refused)} refused, in {seconds:.1f} s "
            f"({report.texts / max(seconds, 0.001):.1f}/s)"
        )
        if report.refused:
            raise CommandError(f"{len(report.refused)} texts could not be embedded; words find them.")


class Steps:
    """A progress bar for each step."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._label = ""
        self._bar: Reporter | None = None

    def __enter__(self) -> Steps:
        return self

    def __call__(self, label: str, done: int, total: int) -> None:
        """Tell how far a step is; another label begins another bar."""
        if label != self._label or self._bar is None:
            self._stack.close()
            self._bar = self._stack.enter_context(Reporter(label, total, sys.stderr))
            self._label = label
        self._bar(done)

    def __exit__(self, *_: object) -> None:
        self._stack.close()
