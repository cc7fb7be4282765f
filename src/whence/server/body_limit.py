"""The limits on what a request sends: how large its body may be, and how long the server waits for the next piece."""

from __future__ import annotations

import asyncio
from collections.abc import Container

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from whence.model.errors import UserError
from whence.server.refusal import Refusal

MOST_BYTES = 64 << 20
"""The largest body that is not a file. A pasted block of 100,000 cells has some 5 MB."""
PATIENCE = 60.0
"""Seconds that the server waits for the next piece of a body."""

TOO_LARGE = Refusal(413, "TooLarge", "The request is larger than 64 MB.", "Upload large data as a file.")
TOO_SLOW = Refusal(408, "TooSlow", "The rest of the request did not come for a minute.", "Send it again.")


class BodyLimit:
    """An ASGI layer that reads the body of a request before the routes see it; paths of files read their own."""

    def __init__(
        self, app: ASGIApp, *, file_paths: Container[str], most_bytes: int = MOST_BYTES, patience: float = PATIENCE
    ) -> None:
        self._app = app
        self._file_paths = file_paths
        self._most_bytes = most_bytes
        self._patience = patience

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with its whole body, or refuse it."""
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD"):
            await self._app(scope, receive, send)
        elif scope["path"] in self._file_paths:
            await self._app(scope, lambda: self._next_piece(receive), send)
        else:
            await self._pass_on(scope, receive, send)

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await self._read(receive)
        if isinstance(body, Refusal):
            await body.answer_http(send, wants_page=False)
        elif body is not None:
            await self._app(scope, _replay(body, receive), send)

    async def _read(self, receive: Receive) -> bytes | Refusal | None:
        """Return the body, why it is refused, or None if the client has gone."""
        pieces, size = list[bytes](), 0
        while True:
            try:
                message = await asyncio.wait_for(receive(), self._patience)
            except TimeoutError:
                return TOO_SLOW
            if message["type"] != "http.request":
                return None
            pieces.append(message.get("body", b""))
            size += len(pieces[-1])
            if size > self._most_bytes:
                return TOO_LARGE
            if not message.get("more_body", False):
                return b"".join(pieces)

    async def _next_piece(self, receive: Receive) -> Message:
        try:
            return await asyncio.wait_for(receive(), self._patience)
        except TimeoutError as error:
            raise UserError(TOO_SLOW.message, TOO_SLOW.hint) from error


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a function that gives the whole body first, and then what else the client says."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return waiting.pop() if waiting else await receive()

    return receive_again
