"""The ASGI application: MCP under /mcp, Django for the rest."""

from __future__ import annotations

import asyncio
import logging
import os
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "metronix.settings")

from django.core.asgi import get_asgi_application

logger = logging.getLogger(__name__)


class Application:
    """Sends each connection to its part and runs the lifespan of those that have one."""

    def __init__(self) -> None:
        django = get_asgi_application()  # first: it sets Django up, which everything below needs
        from django.conf import settings

        from metronix.api.body_limit import BodyLimit
        from metronix.api.connections import close_with_requests
        from metronix.static_files import with_static_files

        close_with_requests()
        self.django = with_static_files(BodyLimit(django, settings.METRONIX_MAX_BODY_BYTES))
        from mcp_gateway.http import Gateway, mounted

        self.mcp = Gateway()
        self.is_mcp = mounted

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Dispatch by path; paths are never redirected."""
        if scope["type"] == "lifespan":
            await self.live(receive, send)
        elif scope["type"] == "http" and self.is_mcp(scope["path"]):
            await self.mcp(scope, receive, send)
        else:
            await self.django(scope, receive, send)

    async def live(self, receive: Any, send: Any) -> None:
        """Start with the server, stop with it."""
        await receive()
        try:
            async with self.mcp.running():
                warming = asyncio.create_task(asyncio.to_thread(warm_embedder))
                await send({"type": "lifespan.startup.complete"})
                await receive()
                await warming
        except Exception as problem:
            logger.exception("the MCP gateway did not start")
            await send({"type": "lifespan.startup.failed", "message": str(problem)})
            return
        await send({"type": "lifespan.shutdown.complete"})


def warm_embedder() -> None:
    """Load the model before the first query has to wait for it. A failure shows there, and in /ready; not here."""
    try:
        from metronix.ports.embedder import get_embedder

        get_embedder().embed_query("warm up")
    except Exception:
        logger.warning("the embedder could not be warmed up", exc_info=True)


def build_application() -> Application:
    """A new application; each instance can run its lifespan once."""
    return Application()


application = build_application()
