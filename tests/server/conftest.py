from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from starlette.types import ASGIApp

from tests.server.asgi import Answer, Headers, request
from tests.server.price_list import price_list
from tests.server.standin import StandInWorkspace, served
from whence.server.app import cookie_name, create_app
from whence.server.sessions import Sessions

TOKEN = "t" * 43
HOST = b"127.0.0.1:8321"


@dataclass
class Clock:
    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Site:
    """The server over the price list, with a clock that tests may move."""

    workspace: StandInWorkspace = field(default_factory=price_list)
    clock: Clock = field(default_factory=Clock)
    sessions: Sessions = field(init=False)
    app: ASGIApp = field(init=False)

    def __post_init__(self) -> None:
        self.sessions = Sessions(TOKEN, clock=self.clock)
        self.app = create_app(served(self.workspace), TOKEN, sessions=self.sessions)

    def get(self, url: str, *headers: tuple[bytes, bytes]) -> Answer:
        """A request with the bearer token."""
        return request(self.app, "GET", url, [(b"host", HOST), bearer(TOKEN), *headers])

    def raw(self, method: str, url: str, headers: Headers) -> Answer:
        return request(self.app, method, url, headers)

    def cookie(self) -> tuple[bytes, bytes]:
        """The cookie of a new session."""
        return session_cookie(self.sessions.open().encode())


def bearer(token: str | bytes) -> tuple[bytes, bytes]:
    return (b"authorization", b"Bearer " + (token.encode() if isinstance(token, str) else token))


def session_cookie(value: bytes) -> tuple[bytes, bytes]:
    return (b"cookie", cookie_name(8321).encode() + b"=" + value)


@pytest.fixture
def site() -> Site:
    return Site()
