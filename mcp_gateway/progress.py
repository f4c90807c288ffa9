"""Progress from a service's thread to the client, in order and before the result."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp.server.context import ServerRequestContext

from mcp_gateway.caller import Progress


@asynccontextmanager
async def reporting(context: ServerRequestContext) -> AsyncIterator[Progress | None]:
    """A callback that notifies the client, or None when the client did not ask for progress.

    Leaving the block waits until every report is sent, so none can follow the result.
    """
    if context.meta is None or context.meta.get("progress_token") is None:
        yield None
        return
    loop = asyncio.get_running_loop()
    reports: asyncio.Queue[tuple[int, int] | None] = asyncio.Queue()

    async def send() -> None:
        highest = -1
        while (report := await reports.get()) is not None:
            done, total = report
            if done > highest:  # the protocol wants progress to increase with every notification
                highest = done
                await context.session.report_progress(done, total)

    def report(done: int, total: int) -> None:
        loop.call_soon_threadsafe(reports.put_nowait, (done, total))

    sender = asyncio.create_task(send())
    try:
        yield report
    finally:
        reports.put_nowait(None)
        await sender
