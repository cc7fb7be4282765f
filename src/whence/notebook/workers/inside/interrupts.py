"""Lets SIGINT, by which the server stops a cell, end user code only: the process of a session lives on."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Interrupts:
    """The handler of SIGINT: it interrupts a cell that runs, but waits while a message is being sent or received."""

    def __init__(self) -> None:
        self._is_running = False
        self._sheltered = 0
        self._has_come = False
        signal.signal(signal.SIGINT, lambda *_: self._come())

    @contextmanager
    def allowed(self) -> Iterator[None]:
        """Let SIGINT interrupt this block, in which a cell runs."""
        self._is_running, self._has_come = True, False
        try:
            yield
        finally:
            self._is_running = False

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Delay a SIGINT until the end of this block: half a message would break the channel."""
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
