"""Watch the children and start again what dies: soon at first, later more slowly, and not for ever."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from metronix.embedded.problems import StartProblem, last_lines
from metronix.embedded.services import Services

LOOK_EVERY_SECONDS = 0.2
FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 30.0
FAST_SECONDS = 20.0
"""A child that lived shorter than this died of its start."""
FAST_DEATHS = 5


@dataclass(slots=True)
class _Trouble:
    """Fast deaths in a row, and when to start again (monotonic; None while it runs)."""

    fast_deaths: int = 0
    again_at: float | None = None


@dataclass(slots=True)
class Supervision:
    """`say` prints one line to the user."""

    services: Services
    say: Callable[[str], None]
    _trouble: dict[str, _Trouble] = field(default_factory=dict)

    def watch(self) -> None:
        """Never returns; ends by a StartProblem, when a child cannot be kept alive, or by whatever a signal raises."""
        while True:
            for name in list(self.services.children):
                self._look_at(name)
            time.sleep(LOOK_EVERY_SECONDS)

    def _look_at(self, name: str) -> None:
        trouble = self._trouble.setdefault(name, _Trouble())
        if trouble.again_at is not None:
            if time.monotonic() >= trouble.again_at:
                self._start_again(name, trouble)
            return
        child = self.services.children[name]
        if not child.has_ended():
            return
        self._note_death(name, trouble, f"ended with code {child.reap()}", time.monotonic() - child.started)

    def _note_death(self, name: str, trouble: _Trouble, how: str, lived: float) -> None:
        child = self.services.children[name]
        self.services.records.forget(name)
        trouble.fast_deaths = trouble.fast_deaths + 1 if lived < FAST_SECONDS else 1
        if trouble.fast_deaths >= FAST_DEATHS:
            raise StartProblem(
                f"{name} {how}, {FAST_DEATHS} times in a row within {FAST_SECONDS:.0f} s of its start; everything is "
                f"stopped. Its log {child.spec.log} says:\n{last_lines(child.spec.log)}\n ",
                child.spec.hint,
            )
        pause = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** (trouble.fast_deaths - 1))
        trouble.again_at = time.monotonic() + pause
        self.say(f"{name} {how}; it is started again in {pause:.1f} s. Its log: {child.spec.log}")

    def _start_again(self, name: str, trouble: _Trouble) -> None:
        trouble.again_at = None
        try:
            child = self.services.restart(name)
        except StartProblem as problem:
            # It may run without answering; a second one beside it would only meet its locks.
            self.services.children[name].stop()
            self._note_death(name, trouble, f"did not come back ({problem.message.splitlines()[0]})", 0.0)
            return
        self.say(f"{name} runs again (process {child.pid}).")
