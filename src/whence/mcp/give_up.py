"""Ends a request of HTTP as soon as the agent that made it goes away, or cancels it in another request."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import uuid4

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SESSION = b"mcp-session-id"
"""The header that an agent gets with the first answer, and sends with each request from then on."""
_CANCELLED = "notifications/cancelled"

Key = tuple[str, str]
"""A session, and the id of a request in it as JSON: agents count from the same number, and 1 is not "1"."""


class RequestsUnderWay:
    """The requests that are being answered. Of a session only its name is known, so none is lost with a restart."""

    def __init__(self) -> None:
        self._scopes: dict[Key, anyio.CancelScope] = {}
        self._cancelled: set[Key] = set()

    async def serve(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request. If the agent leaves or cancels, cancel the answer, and with it what Spark runs for it."""
        messages = await _read_body(receive)
        call = _read_call(scope, messages)
        self._cancel(call.cancels)
        answer = _Answer(send, uuid4().hex if call.begins_session else None)

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
            with self._noted(call.key, group.cancel_scope):
                await app(scope, receive_again, answer.send)
            group.cancel_scope.cancel()
        if call.key is not None and call.key in self._cancelled:
            self._cancelled.discard(call.key)
            await answer.end()

    def _cancel(self, key: Key | None) -> None:
        scope = None if key is None else self._scopes.get(key)
        if key is not None and scope is not None:
            self._cancelled.add(key)
            scope.cancel()

    @contextmanager
    def _noted(self, key: Key | None, scope: anyio.CancelScope) -> Iterator[None]:
        if key is None:
            yield
            return
        self._scopes[key] = scope
        try:
            yield
        finally:
            if self._scopes.get(key) is scope:
                del self._scopes[key]


@dataclass(frozen=True)
class _Call:
    """What a message of the protocol asks, as far as cancelling needs to know it."""

    key: Key | None = None
    cancels: Key | None = None
    begins_session: bool = False


def _read_call(scope: Scope, messages: list[Message]) -> _Call:
    """Return what a body asks. Whatever is wrong with it, the package will say."""
    try:
        asked = json.loads(b"".join(each.get("body", b"") for each in messages))
    except ValueError:
        return _Call()
    if not isinstance(asked, dict):
        return _Call()
    session = next((value.decode("latin-1") for name, value in scope["headers"] if name == SESSION), None)
    method, params = asked.get("method"), asked.get("params")
    cancelled = params.get("requestId") if method == _CANCELLED and isinstance(params, dict) else None
    return _Call(_key(session, asked.get("id")), _key(session, cancelled), method == "initialize")


def _key(session: str | None, request: object) -> Key | None:
    return None if session is None or request is None else (session, json.dumps(request))


class _Answer:
    """The answer to one request. The first answer of a session names it."""

    def __init__(self, send: Send, session: str | None) -> None:
        self._send = send
        self._session = session
        self._has_begun = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._has_begun = True
            if self._session is not None and message["status"] < 300:
                message = {**message, "headers": [*message.get("headers", ()), (SESSION, self._session.encode())]}
        await self._send(message)

    async def end(self) -> None:
        """End a request that its agent has cancelled. HTTP wants an answer, and the protocol no message in it."""
        if not self._has_begun:
            await self._send({"type": "http.response.start", "status": 202, "headers": []})
            await self._send({"type": "http.response.body", "body": b""})


async def _read_body(receive: Receive) -> list[Message]:
    """Return the messages of the body. The guard limits its size."""
    messages = [await receive()]
    while messages[-1].get("more_body"):
        messages.append(await receive())
    return messages
