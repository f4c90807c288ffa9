"""What the Makefile's targets do: set up the environment once, then run the target inside it.

Standard library only, and readable by any Python 3, as it runs before anything is installed and tells an old Python
what is missing.
"""

import contextlib
import fcntl
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import time
from typing import Iterator, List, NoReturn, Tuple

OLDEST = (3, 11)
NEWER = ("python3.14", "python3.13", "python3.12", "python3.11")
PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RUN_TIME, DEVELOPMENT = "requirements.txt", "requirements-dev.txt"
RUN_WITH_SERVICES = ["-m", "metronix.embedded.run"]
EFFORT = "about 600 MB, one to three minutes"


def need_python() -> None:
    """Go on under a newer Python where this one is too old, or say what to install."""
    if sys.version_info >= OLDEST:
        return
    for name in NEWER:
        if shutil.which(name):
            os.execvp(name, [name, *sys.argv])
    fail(
        "Metronix needs Python %d.%d or newer; this is %d.%d." % (OLDEST + sys.version_info[:2]),
        "Install it (Debian, Ubuntu: apt install python3.11 python3.11-venv; macOS: brew install python), "
        "or name one: make run PYTHON=<path>.",
    )


def fail(message: str, advice: str) -> NoReturn:
    """Say what is wrong and what to do, and end."""
    sys.exit("  ✗ environment: %s\n    %s" % (message, advice))


class Environment:
    """The virtual environment in use: the active one, else `.venv`."""

    def __init__(self) -> None:
        active = os.environ.get("VIRTUAL_ENV")
        self.own = not active
        self.folder = active or os.path.join(PROJECT, ".venv")
        self.python = os.path.join(self.folder, "bin", "python")
        self.uv = shutil.which("uv")

    def ensure(self, requirements: str) -> None:
        """Make the environment and install, unless that has been done for exactly these requirements."""
        if self.is_ready(requirements):
            return
        with self.locked():
            # Another make may have done it while we waited.
            if not self.is_ready(requirements):
                self.build(requirements)

    def is_ready(self, requirements: str) -> bool:
        """True when the stamp fits the requirements, this folder and a Python that still runs."""
        try:
            with open(self.stamp(requirements), encoding="utf-8") as file:
                return file.read() == self.wanted(requirements) and not os.path.exists(self.unfinished())
        except OSError:
            return False

    def build(self, requirements: str) -> None:
        """Install; the mark of an unfinished installation stays behind should this be interrupted."""
        begun = time.monotonic()
        print("  … environment: installing %s into %s, once (%s)" % (requirements, self.folder, EFFORT), flush=True)
        # A package half copied looks installed to pip: after an interruption everything is laid anew.
        broken = os.path.exists(self.unfinished()) or not self.runs()
        if self.own and broken:
            self.create()
        elif not self.own and not self.runs():
            fail("the active environment %s has no working Python." % self.folder, "Leave it (deactivate), run again.")
        with open(self.unfinished(), "w", encoding="utf-8"):
            pass
        self.install(requirements, anew=broken and not self.own)
        with open(self.stamp(requirements), "w", encoding="utf-8") as file:
            file.write(self.wanted(requirements))
        os.unlink(self.unfinished())
        print("  ✓ environment         %5.1f s" % (time.monotonic() - begun), flush=True)

    def create(self) -> None:
        """Make `.venv`, in place of a broken one."""
        shutil.rmtree(self.folder, ignore_errors=True)
        if self.uv:
            done = subprocess.call([self.uv, "venv", "--quiet", "--python", sys.executable, self.folder])
        else:
            try:
                import ensurepip  # noqa: F401
                import venv  # noqa: F401
            except ImportError:
                fail(
                    "this Python comes without venv and ensurepip.",
                    "Debian, Ubuntu: apt install python%d.%d-venv. Elsewhere: install uv, or activate an environment "
                    "of your own, and run again." % sys.version_info[:2],
                )
            done = subprocess.call([sys.executable, "-m", "venv", self.folder])
        if done != 0:
            shutil.rmtree(self.folder, ignore_errors=True)
            fail("%s could not be made." % self.folder, "See above; a full disk is the usual cause.")

    def install(self, requirements: str, anew: bool) -> None:
        """Install the pinned packages with uv or pip."""
        path = os.path.join(PROJECT, requirements)
        if self.uv:
            command = [self.uv, "pip", "install", "--quiet", "--python", self.python, "--requirement", path]
            command += ["--reinstall"] if anew else []
        else:
            command = [self.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
            command += ["--requirement", path] + (["--ignore-installed"] if anew else [])
        # Told only when it fails: warnings about packages that are none of the reader's would hide what is.
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            sys.stderr.write(done.stdout.decode("utf-8", "replace"))
            fail(
                "the packages of %s could not be installed." % requirements,
                "See above; check the network (or the proxy and index in pip's settings) and run again.",
            )

    def runs(self) -> bool:
        """True when the environment's Python is there, runs and is new enough."""
        check = "import sys; sys.exit(sys.version_info < (%d, %d))" % OLDEST
        try:
            return subprocess.call([self.python, "-c", check]) == 0
        except OSError:
            return False

    def stamp(self, requirements: str) -> str:
        """The file that says what is installed; the development packages include the others."""
        return os.path.join(self.folder, ".metronix-%s" % requirements)

    def unfinished(self) -> str:
        """The file that marks an installation under way."""
        return os.path.join(self.folder, ".metronix-unfinished")

    def wanted(self, requirements: str) -> str:
        """A text that changes with any pin, and when the folder or its Python is another."""
        digest = hashlib.sha256()
        for name in (RUN_TIME, requirements):
            with open(os.path.join(PROJECT, name), "rb") as file:
                digest.update(file.read())
        digest.update(self.folder.encode())
        digest.update(os.path.realpath(self.python).encode())
        digest.update(b"" if os.path.exists(self.python) else os.urandom(8))
        return digest.hexdigest()

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """One installation at a time; the kernel frees the lock of a killed one. No file is made for it."""
        path = os.path.join(PROJECT, RUN_TIME) if self.own else os.path.join(self.folder, "pyvenv.cfg")
        try:
            descriptor = os.open(path, os.O_RDONLY)
        except OSError as problem:
            fail("%s cannot be read (%s)." % (path, problem.strerror), "Leave the active environment (deactivate).")
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                print("  … environment: waiting for another installation", flush=True)
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)


def words(name: str) -> List[str]:
    """A variable of the make call, split as a shell would."""
    try:
        return shlex.split(os.environ.get(name, ""))
    except ValueError as problem:
        sys.exit("%s cannot be split into words: %s." % (name, problem))


def one(name: str) -> List[str]:
    """A variable of the make call as a single word, blanks and all; nothing where it is not set."""
    return [os.environ[name]] if os.environ.get(name) else []


def benchmarks() -> List[str]:
    """The modules in benchmarks/ that can be run; the others are their helpers."""
    folder = os.path.join(PROJECT, "benchmarks")
    found = []
    for entry in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        if entry.endswith(".py"):
            with open(os.path.join(folder, entry), encoding="utf-8") as file:
                if 'if __name__ == "__main__"' in file.read():
                    found.append(entry[:-3])
    return found


def commands(target: str) -> Tuple[str, List[List[str]]]:
    """The requirements a target needs, and what it runs one after the other, as arguments to Python."""
    if target == "run":
        port = os.environ.get("PORT") or "8000"
        if not port.isdigit() or not 1 <= int(port) <= 65535:
            sys.exit("PORT is %s; give a number between 1 and 65535." % port)
        return RUN_TIME, [["manage.py", "up"]]
    if target == "manage":
        if not words("ARGS"):
            sys.exit('Say which command: make manage ARGS="help".')
        return RUN_TIME, [["-m", "metronix.embedded.manage", *words("ARGS")]]
    if target == "bench":
        name, known = os.environ.get("NAME", ""), benchmarks()
        if name not in known:
            sys.exit(
                "%s: make bench NAME=<name> [FILE=<data>] [ARGS=...]. There are: %s."
                % ("There is no benchmark %s" % name if name else "Say which benchmark", ", ".join(known))
            )
        return DEVELOPMENT, [["-m", "benchmarks." + name, *one("FILE"), *words("ARGS")]]
    if target == "test":
        return DEVELOPMENT, [["-m", "pytest", "-n", "2", "--dist", "loadgroup", *words("ARGS")]]
    if target == "lint":
        return DEVELOPMENT, [
            ["-m", "ruff", "check", "."],
            ["-m", "ruff", "format", "--check", "."],
            ["-m", "mypy", "."],
            ["-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
        ]
    if target == "checks":
        manage = [*RUN_WITH_SERVICES, "--temporary", "--", "python", "manage.py"]
        return DEVELOPMENT, [
            [*manage, "check", "--database", "default"],
            [*manage, "makemigrations", "--check", "--dry-run"],
        ]
    sys.exit("Unknown target %s." % target)


def main() -> None:
    """Set up, then become (or run) the target."""
    need_python()
    os.chdir(PROJECT)
    requirements, steps = commands(sys.argv[1])
    environment = Environment()
    environment.ensure(requirements)
    os.environ["VIRTUAL_ENV"] = environment.folder
    os.environ["PATH"] = os.path.join(environment.folder, "bin") + os.pathsep + os.environ.get("PATH", "")
    for arguments in steps[:-1]:
        code = subprocess.call([environment.python, *arguments])
        if code != 0:
            sys.exit(code)
    # The last one takes our place, so that signals meant for it reach it and no one else.
    sys.stdout.flush()
    os.execv(environment.python, [environment.python, *steps[-1]])


if __name__ == "__main__":
    main()
