"""Carries connections out of the network namespace of a worker: who connects there reaches a port of this machine."""

from __future__ import annotations

import contextlib
import socket
import threading

MOST_CONNECTIONS = 16
"""Connections at a time. A worker needs one."""
_AT_ONCE = 1 << 18


class Relay:
    """Accepts connections at a socket that listens in another network namespace, until it is closed."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self._port: int = listener.getsockname()[1]
        self._free = threading.BoundedSemaphore(MOST_CONNECTIONS)
        threading.Thread(target=self._serve, name="relay", daemon=True).start()

    def close(self) -> None:
        """Accept no more. Connections end with the worker that made them."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes the thread that accepts
        self._listener.close()

    def _serve(self) -> None:
        while True:
            self._free.acquire()
            try:
                inner, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._connect, args=(inner,), name="relay", daemon=True).start()

    def _connect(self, inner: socket.socket) -> None:
        with contextlib.suppress(OSError), inner, socket.create_connection(("127.0.0.1", self._port)) as outer:
            for each in (inner, outer):
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            back = threading.Thread(target=_carry, args=(outer, inner), name="relay", daemon=True)
            back.start()
            _carry(inner, outer)
            back.join()
        self._free.release()


def _carry(source: socket.socket, target: socket.socket) -> None:
    """Carry all bytes of one direction, and then its end."""
    with contextlib.suppress(OSError):
        while data := source.recv(_AT_ONCE):
            target.sendall(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)
