"""Serves the protocol over HTTP at `/mcp` of `whence serve`, behind the guard that checks every request."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

import anyio
from anyio.to_thread import run_sync
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from whence.mcp.context import ToolContext
from whence.mcp.give_up import RequestsUnderWay
from whence.mcp.paths import PATH, READ_ONLY_PATH
from whence.model.lazy_module import LazyModule
from whence.server.access import access
from whence.server.extension import Extension
from whence.server.notebooks import Notebooks
from whence.workspace.served import ServedWorkspace

if TYPE_CHECKING:
    import mcp.server.streamable_http_manager as transports
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    import whence.mcp.protocol as protocol
else:
    # They take seconds to import, so they load with the first question: a page must not wait for them.
    transports = LazyModule("mcp.server.streamable_http_manager")
    protocol = LazyModule("whence.mcp.protocol")


_PAUSE = 300.0
"""Seconds between two looks for results that may go."""


@access("session")
class Endpoint:
    """The ASGI app of one server of the protocol: the owner's, with the same token or cookie as the API."""

    def __init__(self, context: ToolContext) -> None:
        self._context = context
        self._under_way = RequestsUnderWay()
        self._first_request, self._ready = anyio.Event(), anyio.Event()
        self._manager: StreamableHTTPSessionManager | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["method"] == "GET":  # agents with a session ask for a stream of news, and there are none
            await PlainTextResponse("There is no stream here.", 405, {"Allow": "POST"})(scope, receive, send)
            return
        self._first_request.set()
        await self._ready.wait()
        assert self._manager is not None
        await self._under_way.serve(self._manager.handle_request, scope, receive, send)

    async def run(self) -> None:
        """Wait for the first request, then serve until the task is cancelled."""
        await self._first_request.wait()
        self._manager = await run_sync(self._make_manager)
        async with self._manager.run():
            self._ready.set()
            while True:
                await anyio.sleep(_PAUSE)
                await run_sync(self._context.unnamed.drop, self._context.workspace.context.store)

    def forget_results(self) -> None:
        """Drop the results of queries without a name, as the server ends."""
        self._context.unnamed.drop(self._context.workspace.context.store, timedelta(0))

    def _make_manager(self) -> StreamableHTTPSessionManager:
        # Every request stands alone: no session keeps anything, and nothing is lost when the server restarts.
        server = protocol.build_server(self._context)
        return transports.StreamableHTTPSessionManager(server, json_response=True, stateless=True)


def extend_server(workspace: ServedWorkspace, notebooks: Notebooks, page: str) -> Extension:
    """Return the routes that a server of whence adds: one for all tools, one for those that change nothing."""
    everything = Endpoint(ToolContext(workspace, notebooks, page))
    reading = Endpoint(ToolContext(workspace, notebooks, page, is_read_only=True))

    @asynccontextmanager
    async def running() -> AsyncIterator[None]:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(everything.run)
            tasks.start_soon(reading.run)
            yield
            tasks.cancel_scope.cancel()
        for each in (everything, reading):
            await run_sync(each.forget_results)

    return Extension((Route(PATH, everything), Route(READ_ONLY_PATH, reading)), running)
