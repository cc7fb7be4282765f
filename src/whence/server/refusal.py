"""The refusals of the guard: JSON for programs, a small page for people, a close code for WebSockets."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass

from starlette.types import Receive, Send

SOCKET_CLOSE = {400: 4400, 401: 4401, 403: 4403, 429: 4429}
"""The close code of a WebSocket by HTTP status. Codes from 4000 to 4999 are free for applications (RFC 6455)."""

STYLE = (
    ":root{color-scheme:light dark}"
    "body{font:15px/1.6 system-ui,sans-serif;max-width:32rem;margin:18vh auto 0;padding:0 1.5rem}"
    "h1{font-size:1.25rem;margin:0 0 .5rem}code{font-family:ui-monospace,monospace}"
)
# The policy of these pages allows this style by its hash, and nothing else.
STYLE_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
PAGE_POLICY = f"default-src 'none'; style-src 'sha256-{STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'"


def _page(title: str, heading: str, *paragraphs: str) -> str:
    body = "".join(f"<p>{each}</p>" for each in paragraphs)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>whence: {title}</title>'
        f"<style>{STYLE}</style></head><body><main><h1>{heading}</h1>{body}</main></body></html>"
    )


PAGE = _page(
    "not signed in",
    "This page needs its link",
    "Open the whole link that <code>whence</code> printed when it started; it carries the token. "
    "<code>whence open</code> opens it, too.",
    'Already done? <a href="/">Try again</a>.',
)
GONE_PAGE = _page(
    "no such link",
    "This link opens nothing",
    "It was revoked, or it has expired, or a part of it is missing. Ask whoever sent it for a new one.",
)


@dataclass(frozen=True)
class Refusal:
    """The answer to a refused request."""

    status: int
    kind: str
    message: str
    hint: str = ""

    async def answer_http(self, send: Send, *, wants_page: bool) -> None:
        """Send the refusal as a page to a person who is not signed in, as JSON otherwise."""
        if wants_page and self.status == 401:
            await _respond(send, 401, b"text/html; charset=utf-8", PAGE, (b"content-security-policy", PAGE_POLICY))
            return
        error = {"error": {"kind": self.kind, "message": self.message, "hint": self.hint}}
        await _respond(send, self.status, b"application/json", json.dumps(error))

    async def close_socket(self, receive: Receive, send: Send) -> None:
        """Close a WebSocket before it is accepted."""
        # The first message is always `websocket.connect`, and ASGI wants it read before a close is sent.
        await receive()
        await send({"type": "websocket.close", "code": SOCKET_CLOSE[self.status], "reason": self.message})


async def _respond(send: Send, status: int, content_type: bytes, text: str, *extra: tuple[bytes, str]) -> None:
    body = text.encode()
    headers = [(b"content-type", content_type), (b"content-length", str(len(body)).encode())]
    headers += [(name, value.encode()) for name, value in extra]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
