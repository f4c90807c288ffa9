"""The size limit of request bodies, enforced while they arrive: Django would spool all of it to disk first."""

from __future__ import annotations

import json
import uuid
from typing import Any

from metronix.api.errors import TooLarge, error_body


class BodyLimit:
    """Wraps an ASGI application; a body over `limit` bytes is answered with 413 and read no further."""

    def __init__(self, application: Any, limit: int) -> None:
        self.application = application
        self.limit = limit

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Refuse by the announced length, else count what comes."""
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        if announced.isdigit() and int(announced) > self.limit:
            await self.refuse(send)
            return
        size = 0
        answered = False

        async def counted() -> Any:
            nonlocal size
            event = await receive()
            size += len(event.get("body", b""))
            # To the application it looks as if the client had gone: it stops reading and cleans up after itself.
            return event if size <= self.limit else {"type": "http.disconnect"}

        async def noted(event: Any) -> None:
            nonlocal answered
            answered = True
            await send(event)

        await self.application(scope, counted, noted)
        if size > self.limit and not answered:
            await self.refuse(send)

    async def refuse(self, send: Any) -> None:
        """413, and the connection is closed: the rest of the body will not be read."""
        request_id = uuid.uuid4().hex
        problem = TooLarge(
            f"The body is larger than {self.limit:,} bytes.",
            hint="Send less at once.",
            details={"maximum": self.limit},
        )
        body = json.dumps(error_body(problem, request_id)).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
            (b"x-request-id", request_id.encode()),
        ]
        await send({"type": "http.response.start", "status": problem.http_status, "headers": headers})
        await send({"type": "http.response.body", "body": body})
