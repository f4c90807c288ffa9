"""Wait until the web process answers."""

from __future__ import annotations

import http.client
import time
from urllib.parse import urlsplit

from metronix.embedded.child import Child
from metronix.embedded.options import UpOptions
from metronix.embedded.problems import StartProblem, last_lines

READY_SECONDS = 90.0


def wait_for_web(child: Child, options: UpOptions) -> None:
    """Return once /health answers without a server error."""
    end = time.monotonic() + READY_SECONDS
    while True:
        if child.has_ended():
            code = child.reap()
            raise StartProblem(
                f"The web process ended with code {code}. Its log {child.spec.log} says:\n"
                f"{last_lines(child.spec.log, 20)}\n ",
                child.spec.hint,
            )
        status = _status(options)
        if status is not None and status < 500:
            return
        if time.monotonic() > end:
            raise StartProblem(
                f"The web process does not answer after {READY_SECONDS:.0f} s (last status: {status}).",
                f"See {child.spec.log}.",
            )
        time.sleep(0.05)


def _status(options: UpOptions) -> int | None:
    where = urlsplit(options.base_url)
    connection = http.client.HTTPConnection(where.hostname or "127.0.0.1", options.port, timeout=10)
    try:
        connection.request("GET", "/health", headers={"Host": f"localhost:{options.port}"})
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
