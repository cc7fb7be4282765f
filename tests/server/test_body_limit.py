"""Requests that are too large or too slow end with a sentence, and reach no route; files may have any size."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tests.server.asgi import Answer
from tests.server.conftest import HOST, TOKEN, Site, bearer
from whence.model.errors import UserError
from whence.server.body_limit import BodyLimit

FILES = {"/api/uploads"}


class Echo:
    """An app that answers with the size of the body, or with the error that reading it raised."""

    def __init__(self) -> None:
        self.is_called = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.is_called = True
        size, has_more, error = 0, True, ""
        while has_more and not error:
            try:
                message = await receive()
                size, has_more = size + len(message["body"]), message["more_body"]
            except UserError as raised:
                error = str(raised)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": json.dumps([size, error]).encode()})


def ask(app: ASGIApp, path: str, pieces: Iterable[bytes], *, ends: bool = True) -> Answer:
    """Send a body in pieces; unless it ends, the client stays connected and sends no more."""
    waiting: list[Message] = [{"type": "http.request", "body": each, "more_body": True} for each in pieces]
    if ends:
        waiting[-1]["more_body"] = False
    sent: list[Any] = []

    async def receive() -> Message:
        if not waiting:
            await asyncio.Event().wait()
        return waiting.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": path, "headers": [(b"host", HOST), bearer(TOKEN)]}
    asyncio.run(app(scope, receive, send))  # type: ignore[arg-type]
    return Answer(sent[0]["status"], sent[0]["headers"], sent[1]["body"])


def test_a_body_up_to_the_limit_reaches_the_route_whole() -> None:
    answer = ask(BodyLimit(Echo(), file_paths=FILES, most_bytes=10), "/api/run", [b"12345", b"", b"67890"])
    assert answer.json() == [10, ""]


def test_a_body_beyond_the_limit_is_refused_before_a_route_sees_it() -> None:
    echo = Echo()
    answer = ask(BodyLimit(echo, file_paths=FILES, most_bytes=10), "/api/run", [b"12345", b"678901"], ends=False)
    assert (answer.status, answer.json()["error"]["message"]) == (413, "The request is larger than 64 MB.")
    assert not echo.is_called


def test_a_body_that_does_not_come_is_given_up() -> None:
    echo = Echo()
    answer = ask(BodyLimit(echo, file_paths=FILES, patience=0.05), "/api/run", [b"12345"], ends=False)
    assert (answer.status, answer.json()["error"]["kind"]) == (408, "TooSlow")
    assert not echo.is_called


def test_a_file_may_have_any_size_but_not_stop_in_the_middle() -> None:
    app = BodyLimit(Echo(), file_paths=FILES, most_bytes=10, patience=0.05)
    whole, half = (ask(app, "/api/uploads", [b"x" * 100, b"y"], ends=ends) for ends in (True, False))
    assert whole.json() == [101, ""]
    assert half.json() == [101, "The rest of the request did not come for a minute. Send it again."]


def test_the_server_has_these_limits(site: Site) -> None:
    answer = ask(site.app, "/api/notebooks", [b"x" * (1 << 20)] * 65)
    assert (answer.status, answer.json()["error"]["kind"]) == (413, "TooLarge")
