"""Children that die are started again, but not for ever."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest

from metronix.embedded import supervision
from metronix.embedded.child import ChildSpec
from metronix.embedded.outside import without_given
from metronix.embedded.problems import StartProblem
from metronix.embedded.services import Services
from metronix.embedded.supervision import Supervision
from metronix.embedded.temporary_home import temporary_home


class EnoughSeen(Exception):
    """Ends the watch."""


@pytest.fixture
def services() -> Iterator[Services]:
    with temporary_home() as home:
        services = Services(home, without_given(os.environ))
        yield services
        services.stop()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervision, "LOOK_EVERY_SECONDS", 0.01)
    monkeypatch.setattr(supervision, "FIRST_PAUSE_SECONDS", 0.01)


def child(services: Services, code: str) -> ChildSpec:
    log = services.home.log("web")
    return ChildSpec("web", (sys.executable, "-c", code), log, environment=dict(os.environ), hint="Look there.")


def test_one_that_dies_of_its_start_is_given_up(services: Services) -> None:
    said: list[str] = []
    services.run(child(services, "print('no such table'); raise SystemExit(3)"))
    with pytest.raises(StartProblem, match=r"web ended with code 3, 5 times in a row") as gave_up:
        Supervision(services, said.append).watch()
    assert "no such table" in gave_up.value.message
    assert gave_up.value.advice == "Look there."
    assert len([line for line in said if "it is started again in" in line]) == 4
    assert [line for line in said if "0.1 s" in line], "the pauses grow"


def test_one_that_lived_is_started_again(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervision, "FAST_SECONDS", 0.0)
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        if len(said) == 14:
            raise EnoughSeen

    services.run(child(services, "pass"))
    with pytest.raises(EnoughSeen):
        Supervision(services, say).watch()
    services.stop()
    assert said[0].startswith("web ended with code 0; it is started again in 0.0 s. Its log: ")
    assert said[1].startswith("web runs again (process ")
    assert services.records.pids() == {}
