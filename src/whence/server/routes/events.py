"""The WebSocket that sends the event stream to a tab, from the event it last saw on."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import Counter
from collections.abc import Callable

from starlette.websockets import WebSocket, WebSocketDisconnect

from whence.server.access import access
from whence.server.events import Events
from whence.server.routers import new_router

router = new_router()

MOST_SOCKETS = 20
TOO_MANY = 4429
"""The close code of a socket whose session has too many others."""
SIGNED_OUT = 4401
"""The close code of a socket whose session has ended."""


@router.websocket("/api/events")
@access("session")
async def follow_events(socket: WebSocket) -> None:
    """Say where the stream stands, then send events.

    `?epoch=E&since=N` resumes after event N of that run of the server; a tab whose place is no longer known, or that
    cannot keep up, gets `resync` and must read what it shows afresh.
    """
    open_sockets: Counter[bytes] = socket.app.state.sockets
    session = _session(socket)
    if open_sockets[session] >= MOST_SOCKETS:
        await socket.accept()  # browsers tell a page the close code only of a socket that was accepted
        await socket.close(TOO_MANY, f"A session may have {MOST_SOCKETS} event streams.")
        return
    open_sockets[session] += 1
    try:
        await socket.accept()
        sending = asyncio.create_task(_send(socket, socket.app.state.events, _is_signed_in(socket)))
        await _until_gone(socket, sending)
    finally:
        open_sockets[session] -= 1


async def _send(socket: WebSocket, events: Events, is_signed_in: Callable[[], bool]) -> None:
    """Send a first note, then every event, until the session ends. A tab that falls behind gets `resync`."""
    at = _resumed(socket, events)
    if at is None:
        at = events.last
        await _note(socket, "resync", events, at)
    else:
        await _note(socket, "hello", events, at)
    while is_signed_in():
        news = events.since(at)
        if news is None:  # the tab was too slow
            at = events.last
            await _note(socket, "resync", events, at)
            continue
        for event in news:
            await socket.send_text(event.text)
            at = event.sequence
        await events.wait(at)
    await socket.close(SIGNED_OUT, "The session has ended.")


def _is_signed_in(socket: WebSocket) -> Callable[[], bool]:
    """Return a check whether a socket may go on: its session can end while it is open, the bearer token cannot."""
    state = socket.app.state
    if "authorization" in socket.headers:
        return lambda: True
    session = socket.cookies.get(state.cookie, "").encode("latin-1", "replace")
    return lambda: state.sessions.is_open(session)


async def _until_gone(socket: WebSocket, sending: asyncio.Task[None]) -> None:
    """Wait until the client leaves or the sending ends.

    A client sends nothing here, as commands go by POST. Reading only tells when it disconnects.
    """
    reading = asyncio.create_task(_read(socket))
    await asyncio.wait({sending, reading}, return_when=asyncio.FIRST_COMPLETED)
    for task in (sending, reading):
        task.cancel()  # the other task would wait for ever
        with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
            await task


async def _read(socket: WebSocket) -> None:
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass


def _resumed(socket: WebSocket, events: Events) -> int | None:
    """Return the number of the event after which to resume; None if the server no longer has the events after it."""
    given = socket.query_params
    if "since" not in given:
        return events.last
    if given.get("epoch") != events.epoch or not given["since"].isdecimal() or len(given["since"]) > 18:
        return None
    since = int(given["since"])
    return None if events.since(since) is None else since


async def _note(socket: WebSocket, kind: str, events: Events, at: int) -> None:
    await socket.send_text(json.dumps({"sequence": at, "kind": kind, "data": {"epoch": events.epoch}}))


def _session(socket: WebSocket) -> bytes:
    """Return the credential of a socket, cookie or bearer token, by which its sockets are counted."""
    headers: dict[bytes, bytes] = dict(socket.scope["headers"])
    return headers.get(b"authorization") or headers.get(b"cookie", b"")
