"""A connection that does not send the headers of a request in time is closed, and holds up no other."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from typing import cast

import pytest

from tests.server.price_list import price_list
from whence.server.header_limit import HeaderLimit
from whence.server.run import listen, make_web_server
from whence.workspace.served import ServedWorkspace

WHOLE = b"GET /health HTTP/1.1\r\nHost: %b\r\n\r\n"


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, int]]:
    """Where a server with little patience listens."""
    monkeypatch.setattr(HeaderLimit, "patience", 0.5)
    listener = listen(0)
    workspace = cast(ServedWorkspace, price_list())  # a stand-in
    server = make_web_server(workspace, "token", listener.getsockname()[1])
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield listener.getsockname()
    server.should_exit = True
    thread.join(20)


def rest_of(connection: socket.socket) -> bytes:
    """What the server sends until it closes the connection."""
    received = b""
    while piece := connection.recv(4096):
        received += piece
    return received


def drip(connection: socket.socket) -> None:
    """Send one header after another, and no end of them, until the server hangs up."""
    for number in range(10_000):
        try:
            connection.sendall(b"X-%d: x\r\n" % number)
        except (BrokenPipeError, ConnectionResetError):
            return
        time.sleep(0.02)
    pytest.fail("the server listens on and on")


def test_a_connection_without_a_whole_request_is_closed(address: tuple[str, int]) -> None:
    for begin in (b"GET /health HTT", b"GET /health HTTP/1.1\r\nHost: x\r\nAccept"):
        with socket.create_connection(address, timeout=20) as connection:
            connection.sendall(begin)
            head, _, body = rest_of(connection).partition(b"\r\n\r\n")
            assert (head.splitlines()[0], body) == (
                b"HTTP/1.1 408 Request Timeout",
                b"The headers of the request did not come in time.",
            )


def test_a_connection_without_a_byte_is_closed_without_a_word(address: tuple[str, int]) -> None:
    with socket.create_connection(address, timeout=20) as connection:
        assert rest_of(connection) == b""


def test_headers_that_never_end_are_cut_off(address: tuple[str, int]) -> None:
    with socket.create_connection(address, timeout=20) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\n")
        drip(connection)


def test_the_second_request_of_a_connection_has_the_same_limit(address: tuple[str, int]) -> None:
    host = b"%b:%d" % (address[0].encode(), address[1])
    with socket.create_connection(address, timeout=20) as connection:
        connection.sendall(WHOLE % host)
        assert connection.recv(4096).startswith(b"HTTP/1.1 200")
        connection.sendall(b"GET /health HTTP/1.1\r\n")
        assert b"HTTP/1.1 408 Request Timeout" in rest_of(connection)


def test_a_request_whose_body_comes_slowly_is_not_cut_off_by_this_limit(address: tuple[str, int]) -> None:
    host = b"%b:%d" % (address[0].encode(), address[1])
    with socket.create_connection(address, timeout=20) as connection:
        connection.sendall(
            b"POST /api/notebooks HTTP/1.1\r\nHost: %b\r\nAuthorization: Bearer token\r\n"
            b"Content-Type: application/json\r\nContent-Length: 8\r\n\r\nnon" % host
        )
        time.sleep(2 * HeaderLimit.patience)
        connection.sendall(b"sense")
        assert connection.recv(4096).splitlines()[0].split()[1] in (b"400", b"422")
