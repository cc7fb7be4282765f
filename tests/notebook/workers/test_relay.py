"""A relay carries every byte of both directions, each direction to its end, for a few connections at a time."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from whence.notebook.workers.relay import MOST_CONNECTIONS, Relay

LONG = bytes(range(256)) * 20_000


class Echo:
    """A service that sends back all that it got, once the other side has sent its last byte."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection:
            connection.sendall(read_all(connection))


def read_all(connection: socket.socket) -> bytes:
    """Return all bytes up to the end."""
    parts = []
    while data := connection.recv(1 << 16):
        parts.append(data)
    return b"".join(parts)


def ask(address: tuple[str, int], question: bytes) -> bytes:
    """Send a question and its end, and return the whole answer."""
    with socket.create_connection(address, timeout=30) as connection:
        connection.sendall(question)
        connection.shutdown(socket.SHUT_WR)
        return read_all(connection)


@pytest.fixture
def echo() -> Iterator[Echo]:
    service = Echo()
    yield service
    service.listener.shutdown(socket.SHUT_RDWR)
    service.listener.close()


@pytest.fixture
def door(echo: Echo) -> Iterator[tuple[str, int]]:
    """The address of a relay to the service: the same port at an address that is not the service's."""
    listener = socket.create_server(("127.0.0.2", echo.port))
    relay = Relay(listener)
    yield "127.0.0.2", echo.port
    relay.close()


def test_every_byte_arrives_in_both_directions(door: tuple[str, int]) -> None:
    assert ask(door, LONG) == LONG
    assert [ask(door, b"%d" % each) for each in range(2 * MOST_CONNECTIONS)] == [
        b"%d" % each for each in range(2 * MOST_CONNECTIONS)
    ]


def test_a_connection_beyond_the_most_waits_for_one_to_end(door: tuple[str, int]) -> None:
    open_ones = [socket.create_connection(door, timeout=30) for _ in range(MOST_CONNECTIONS)]
    with socket.create_connection(door, timeout=1) as late:
        late.sendall(b"x")
        late.shutdown(socket.SHUT_WR)
        with pytest.raises(TimeoutError):
            late.recv(1)
        open_ones.pop().close()
        late.settimeout(30)
        assert read_all(late) == b"x"
    for each in open_ones:
        each.close()


def test_a_closed_relay_accepts_no_more(echo: Echo) -> None:
    relay = Relay(socket.create_server(("127.0.0.2", echo.port)))
    relay.close()
    with pytest.raises(ConnectionError):
        ask(("127.0.0.2", echo.port), b"x")
