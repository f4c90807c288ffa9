"""scripts/bootstrap.py, run for real in a small project of its own whose requirements name no package."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from metronix.embedded.one_off import PROJECT
from tests.support.embedded import wait_until

# Building the environment takes seconds: on one worker it is built once.
pytestmark = pytest.mark.xdist_group("bootstrap_script")

INSTALLING = "… environment: installing"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose environment is there."""
    project = make_project(tmp_path_factory.mktemp("built"))
    done = run(project, "run")
    assert done.returncode == 0, done.stderr
    assert INSTALLING in done.stdout
    assert "about 600 MB, one to three minutes" in done.stdout
    assert "✓ environment" in done.stdout
    assert done.stderr == ""
    return project


@pytest.fixture
def project(built: Path) -> Iterator[Path]:
    """The same one, set up for its requirements, which are put back afterwards."""
    assert run(built, "run").returncode == 0
    yield built
    (built / "requirements.txt").write_text("# none\n")


def make_project(folder: Path) -> Path:
    (folder / "scripts").mkdir()
    shutil.copy(PROJECT / "scripts/bootstrap.py", folder / "scripts")
    shutil.copy(PROJECT / "Makefile", folder)
    (folder / "requirements.txt").write_text("# none\n")
    (folder / "requirements-dev.txt").write_text("-r requirements.txt\n")
    (folder / "manage.py").write_text(
        "import os, sys\nprint('ran', sys.argv[1:], sys.prefix, os.environ['VIRTUAL_ENV'])\n"
    )
    return folder


def environment(**more: str) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "ARGS", "NAME", "FILE")}
    return clean | more


def run(project: Path, target: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "scripts/bootstrap.py", target],
        cwd=project,
        env=environment(**more),
        capture_output=True,
        text=True,
        check=False,
    )


def test_later_starts_install_nothing(project: Path) -> None:
    done = run(project, "run")
    venv = project / ".venv"
    assert done.stdout == f"ran ['up'] {venv} {venv}\n"


def test_make_passes_its_variables_on(project: Path) -> None:
    done = subprocess.run(
        ["make", "--silent", "run", f"PYTHON={sys.executable}"],
        cwd=project,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith("ran ['up']"), done.stderr


def test_other_requirements_are_installed(project: Path) -> None:
    (project / "requirements.txt").write_text("# still none\n")
    assert INSTALLING in run(project, "run").stdout
    assert INSTALLING not in run(project, "run").stdout


def test_an_interrupted_installation_is_made_anew(project: Path) -> None:
    (project / ".venv/half-copied").write_text("")
    (project / ".venv/.metronix-unfinished").write_text("")
    done = run(project, "run")
    assert INSTALLING in done.stdout
    assert not (project / ".venv/half-copied").exists()
    assert not (project / ".venv/.metronix-unfinished").exists()


def test_a_failed_installation_says_what_to_do_and_is_tried_again(project: Path) -> None:
    (project / "requirements.txt").write_text("./no-such-folder\n")
    done = run(project, "run")
    assert done.returncode == 1
    assert "could not be installed" in done.stderr
    assert "check the network" in done.stderr
    (project / "requirements.txt").write_text("# none\n")
    assert run(project, "run").returncode == 0


def test_two_at_once_install_once(project: Path) -> None:
    (project / "requirements.txt").write_text("# none, twice\n")
    both = [
        subprocess.Popen(
            [sys.executable, "scripts/bootstrap.py", "run"],
            cwd=project,
            env=environment(),
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    outputs = [process.communicate()[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sum(INSTALLING in output for output in outputs) == 1
    assert all("ran ['up']" in output for output in outputs)


def test_a_killed_installation_frees_the_lock(project: Path) -> None:
    (project / "requirements.txt").write_text("# none, killed\n")
    unfinished = project / ".venv/.metronix-unfinished"
    killed = subprocess.Popen(
        [sys.executable, "scripts/bootstrap.py", "run"],
        cwd=project,
        env=environment(),
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    wait_until(unfinished.exists)
    os.killpg(killed.pid, signal.SIGKILL)
    killed.wait()
    assert unfinished.exists()
    done = run(project, "run")
    assert done.returncode == 0, done.stderr
    assert INSTALLING in done.stdout
    assert not unfinished.exists()


def test_an_active_environment_is_used(project: Path, tmp_path: Path) -> None:
    active = tmp_path / "active"
    shutil.copytree(project / ".venv", active, symlinks=True)
    done = run(project, "run", VIRTUAL_ENV=str(active))
    assert INSTALLING in done.stdout
    assert f"ran ['up'] {active} {active}" in done.stdout


def test_a_python_without_venv_is_told_of(tmp_path: Path) -> None:
    project = make_project(tmp_path)
    (tmp_path / "ensurepip.py").write_text("raise ImportError('left out by the distribution')\n")
    done = run(project, "run", PYTHONPATH=str(tmp_path), PATH="/usr/bin:/bin")
    assert done.returncode == 1
    assert f"apt install python3.{sys.version_info.minor}-venv" in done.stderr


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("manage", 'make manage ARGS="help"'),
        ("bench", "Say which benchmark: make bench NAME="),
        ("nonsense", "Unknown target nonsense"),
    ],
)
def test_what_is_missing_is_told_first(project: Path, target: str, words: str) -> None:
    done = run(project, target)
    assert done.returncode == 1
    assert words in done.stderr


def test_an_unknown_benchmark_is_told_before_anything_is_installed(tmp_path: Path) -> None:
    project = make_project(tmp_path)
    (project / "benchmarks").mkdir()
    (project / "benchmarks" / "helper.py").write_text("")
    (project / "benchmarks" / "speed.py").write_text('if __name__ == "__main__":\n    print("fast")\n')
    done = run(project, "bench", NAME="nope")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("There is no benchmark nope: ")
    assert "There are: speed." in done.stderr
    assert not (project / ".venv").exists()


def test_a_wrong_port_is_told_before_anything_is_installed(tmp_path: Path) -> None:
    project = make_project(tmp_path)
    done = run(project, "run", PORT="abc")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "PORT is abc; give a number between 1 and 65535.\n")


@pytest.mark.parametrize("arguments", [[], ["help"]], ids=["bare", "help"])
def test_make_lists_its_targets(arguments: list[str]) -> None:
    done = subprocess.run(
        ["make", *arguments], cwd=PROJECT, env=environment(), capture_output=True, text=True, check=True
    )
    for target in ("run", "manage", "test", "bench", "ci", "clean"):
        assert f"make {target}" in done.stdout
    assert len(done.stdout.splitlines()) < 12
