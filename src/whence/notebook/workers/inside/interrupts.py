"""Lets the request to stop end what a user's code does, and nothing else of a process that is to live on."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Interrupts:
    """Ctrl-C, as the server sends it: it counts while a cell runs, and waits while a message is on its way."""

    def __init__(self) -> None:
        self._is_running = False
        self._sheltered = 0
        self._has_come = False
        signal.signal(signal.SIGINT, lambda *_: self._come())

    @contextmanager
    def allowed(self) -> Iterator[None]:
        """A cell runs in this block."""
        self._is_running, self._has_come = True, False
        try:
            yield
        finally:
            self._is_running = False

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Half a message would be the end of the conversation, so what comes in this block counts at its end."""
        if threading.current_thread() is not threading.main_thread():
            yield  # only the main thread is ever interrupted
            return
        self._sheltered += 1
        try:
            yield
        finally:
            self._sheltered -= 1
        if self._has_come and self._is_running and not self._sheltered:
            self._has_come = False
            raise KeyboardInterrupt

    def _come(self) -> None:
        if self._is_running and not self._sheltered:
            raise KeyboardInterrupt
        self._has_come = True
