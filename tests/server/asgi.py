"""Calls an ASGI app with raw bytes, as a hostile client would: no library in between tidies the headers."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from starlette.types import ASGIApp, Message

Headers = list[tuple[bytes, bytes]]


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Headers
    body: bytes

    def header(self, name: str) -> str | None:
        return next((value.decode() for key, value in self.headers if key.lower() == name.encode()), None)

    def json(self) -> Any:  # noqa: ANN401 - JSON
        return json.loads(self.body)


def request(app: ASGIApp, method: str, url: str, headers: Headers, body: bytes = b"") -> Answer:
    """One HTTP request."""
    parts = urlsplit(url)
    scope: dict[str, object] = {
        "type": "http",
        "method": method,
        "path": unquote(parts.path),
        "raw_path": parts.path.encode(),
        "query_string": parts.query.encode(),
        "headers": headers,
        "scheme": "http",
        "http_version": "1.1",
        "server": ("127.0.0.1", 8321),
        "client": ("127.0.0.1", 50000),
        "root_path": "",
    }
    sent = _call(app, scope, [{"type": "http.request", "body": body, "more_body": False}])
    start = next(message for message in sent if message["type"] == "http.response.start")
    received = b"".join(message.get("body", b"") for message in sent if message["type"] == "http.response.body")
    return Answer(start["status"], list(start["headers"]), received)


def connect(app: ASGIApp, path: str, headers: Headers) -> list[Message]:
    """Try to open a WebSocket; everything the app sends back."""
    scope: dict[str, object] = {
        "type": "websocket",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": headers,
        "scheme": "ws",
        "http_version": "1.1",
        "server": ("127.0.0.1", 8321),
        "client": ("127.0.0.1", 50000),
        "root_path": "",
        "subprotocols": [],
    }
    return _call(app, scope, [{"type": "websocket.connect"}, {"type": "websocket.disconnect", "code": 1000}])


def start(app: ASGIApp) -> list[Message]:
    """Run the start-up and shut-down of an app."""
    return _call(app, {"type": "lifespan", "state": {}}, [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])


def _call(app: ASGIApp, scope: dict[str, object], incoming: list[Message]) -> list[Message]:
    sent: list[Message] = []
    waiting = iter(incoming)

    async def receive() -> Message:
        return next(waiting, {"type": "http.disconnect"})

    async def send(message: Message) -> None:
        sent.append(message)

    async def run() -> None:
        await app(scope, receive, send)

    asyncio.run(run())
    return sent
