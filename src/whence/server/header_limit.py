"""The limit on how long the server waits for the headers of a request: slow connections are closed."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

_MESSAGE = b"The headers of the request did not come in time."
_ANSWER = (
    b"HTTP/1.1 408 Request Timeout\r\ncontent-type: text/plain; charset=utf-8\r\n"
    b"content-length: %d\r\nconnection: close\r\n\r\n%b" % (len(_MESSAGE), _MESSAGE)
)


class HeaderLimit(H11Protocol):
    """A connection on which the headers of each request must come within seconds. A body has its own limit."""

    patience = 30.0
    """Seconds from the connection, or from the first byte of a later request, to the end of its headers."""

    _timer: asyncio.TimerHandle | None = None
    _has_begun = False
    """Whether a part of a request has come. Browsers open connections in advance, and expect no answer on them."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Stop waiting if these bytes end the headers of a request, and wait if they begin those of another."""
        before = self.scope
        super().data_received(data)
        if self.scope is not before:
            self._stop_waiting()
        elif self.cycle is None or self.cycle.response_complete:  # type: ignore[redundant-expr]  # None at first
            self._has_begun = True
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(self.patience, self._give_up)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self._has_begun = False

    def _give_up(self) -> None:
        if self.transport.is_closing():
            return
        if self._has_begun:
            self.transport.write(_ANSWER)
        self.transport.close()
