"""Which form a reply takes: JSON or an event stream."""

from __future__ import annotations

JSON = "application/json"
STREAM = "text/event-stream"


def accepted(header: str) -> tuple[bool, bool]:
    """(JSON, event stream) as an Accept header allows them.

    A wildcard stands for JSON alone: a client that wants a stream names it, and one that sends `*/*` (curl) could not
    read one. An absent header allows JSON.
    """
    types = set()
    for part in header.split(","):
        media, _, parameters = part.strip().lower().partition(";")
        if parameters.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000"):
            types.add(media.strip())
    stream = STREAM in types
    return not stream or bool(types & {JSON, "application/*", "*/*"}), stream


def wants_stream(header: str, *, progress: bool) -> bool:
    """True when the reply must be a stream: it is all the client takes, or it takes both and awaits progress."""
    json, stream = accepted(header)
    return stream and (progress or not json)
