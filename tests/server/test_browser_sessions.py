"""A browser stays signed in when the server restarts: until its session ends by time or on request."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from tests.server.asgi import Answer, request
from tests.server.conftest import HOST, TOKEN, Clock, bearer, session_cookie
from tests.server.price_list import price_list
from tests.server.standin import served
from whence.server.app import create_app
from whence.server.routes.events import SIGNED_OUT
from whence.server.sessions import LIFETIME, Sessions
from whence.store.browser_sessions import BrowserSessions
from whence.store.store import Store

ORIGIN = (b"origin", b"http://" + HOST)


class Restarting:
    """Servers of one workspace, one after the other, each with a token of its own."""

    def __init__(self, path: Path) -> None:
        self.path, self.clock = path, Clock()
        self.start()

    def start(self) -> None:
        self.store = Store.open(self.path)
        self.token = secrets.token_urlsafe(32)
        self.sessions = Sessions(self.token, store=BrowserSessions(self.store.database), clock=self.clock)
        self.app = create_app(served(price_list()), self.token, sessions=self.sessions)

    def restart(self) -> None:
        self.store.close()
        self.start()

    def sign_in(self) -> bytes:
        answer = request(self.app, "GET", f"/login?token={self.token}", [(b"host", HOST)])
        return (answer.header("set-cookie") or "").partition(";")[0].partition("=")[2].encode()

    def reads(self, session: bytes) -> bool:
        headers = [(b"host", HOST), session_cookie(session)]
        return request(self.app, "GET", "/api/datasets", headers).status == 200

    def end(self, credential: tuple[bytes, bytes], *, every: bool) -> Answer:
        headers = [(b"host", HOST), ORIGIN, credential, (b"content-type", b"application/json")]
        return request(self.app, "POST", "/api/sessions/end", headers, json.dumps({"all": every}).encode())


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Restarting]:
    started = Restarting(tmp_path / "ws")
    yield started
    started.store.close()


def test_a_browser_comes_back_after_a_restart_but_the_token_does_not(server: Restarting) -> None:
    session, token = server.sign_in(), server.token
    server.restart()
    assert server.reads(session)
    assert request(server.app, "GET", "/api/datasets", [(b"host", HOST), bearer(token)]).status == 401


def test_a_session_ends_after_thirty_days(server: Restarting) -> None:
    session = server.sign_in()
    server.clock.now += LIFETIME - 1
    server.restart()
    assert server.reads(session)
    server.clock.now += 1
    assert not server.reads(session)
    server.restart()
    assert not server.reads(session)
    server.sign_in()
    assert len(BrowserSessions(server.store.database).load()) == 1


def test_the_cookie_lasts_as_long_as_the_session(server: Restarting) -> None:
    answer = request(server.app, "GET", f"/login?token={server.token}", [(b"host", HOST)])
    attributes = set((answer.header("set-cookie") or "").split("; ")[1:])
    assert {"HttpOnly", "SameSite=strict", "Path=/", f"Max-Age={int(LIFETIME)}"} <= attributes


def test_signing_out_ends_one_session_for_good(server: Restarting) -> None:
    left, stays = server.sign_in(), server.sign_in()
    answer = server.end(session_cookie(left), every=False)
    assert (answer.status, "Max-Age=0" in (answer.header("set-cookie") or "")) == (200, True)
    for _ in range(2):
        assert (server.reads(left), server.reads(stays)) == (False, True)
        server.restart()


def test_signing_out_closes_the_event_streams_of_that_session(server: Restarting) -> None:
    left, stays = server.sign_in(), server.sign_in()
    with TestClient(server.app) as client:

        def follow(session: bytes) -> Any:  # noqa: ANN401 - starlette's own test session
            cookie = session_cookie(session)[1].decode()
            headers = {"host": HOST.decode(), "origin": ORIGIN[1].decode(), "cookie": cookie}
            return client.websocket_connect("/api/events", headers=headers)

        with follow(left) as closed, follow(stays) as open_still:
            assert [json.loads(each.receive_text())["kind"] for each in (closed, open_still)] == ["hello", "hello"]
            server.end(session_cookie(left), every=False)
            with pytest.raises(WebSocketDisconnect) as ending:
                closed.receive_text()
            assert ending.value.code == SIGNED_OUT
            assert json.loads(open_still.receive_text())["kind"] == "sessions.ended"


def test_every_session_ends_on_request(server: Restarting) -> None:
    sessions = [server.sign_in() for _ in range(3)]
    assert server.end(bearer(server.token), every=True).status == 200
    server.restart()
    assert not any(server.reads(each) for each in sessions)


def test_the_database_does_not_hold_what_opens_a_session(server: Restarting) -> None:
    session = server.sign_in()
    server.restart()
    with sqlite3.connect(server.path / "meta.db") as database:
        ((digest, _),) = database.execute("select * from browser_sessions").fetchall()
    stolen = (server.path / "meta.db").read_bytes() + (server.path / "meta.db-wal").read_bytes()
    assert session not in stolen
    assert not server.reads(digest.encode())


def test_without_a_session_none_can_be_ended(server: Restarting) -> None:
    session = server.sign_in()
    assert server.end(session_cookie(TOKEN.encode()), every=True).status == 401
    assert server.reads(session)
