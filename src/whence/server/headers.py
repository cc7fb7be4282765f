"""The security headers that every response of the server carries."""

from __future__ import annotations

from starlette.types import Message, Send

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)

SECURITY = {
    b"content-security-policy": PAGE_POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"cache-control": b"no-store",
}


def secured(send: Send) -> Send:
    """Wrap `send` so that a response gets each security header it does not already set itself."""

    async def send_secured(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = list(message.get("headers", []))
            present = {name.lower() for name, _ in given}
            extra = [(name, value) for name, value in SECURITY.items() if name not in present]
            message = {**message, "headers": given + extra}
        await send(message)

    return send_secured
