"""Ends a request of HTTP as soon as the agent that made it goes away."""

from __future__ import annotations

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send


async def serve_until_disconnect(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request. If the agent disconnects first, cancel the answer, and with it what runs in Spark for it."""
    messages = await _read_body(receive)

    async def receive_again() -> Message:
        if messages:
            return messages.pop(0)
        await gone.wait()
        return {"type": "http.disconnect"}

    async def watch() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        gone.set()
        group.cancel_scope.cancel()

    gone = anyio.Event()
    async with anyio.create_task_group() as group:
        group.start_soon(watch)
        await app(scope, receive_again, send)
        group.cancel_scope.cancel()


async def _read_body(receive: Receive) -> list[Message]:
    """Return the messages of the body. The guard limits its size."""
    messages = [await receive()]
    while messages[-1].get("more_body"):
        messages.append(await receive())
    return messages
