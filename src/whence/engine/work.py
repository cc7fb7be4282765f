"""Keeps track of which Spark work a user waits for, and which of it was told to stop."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Work:
    """The names of running work, one for each cell or query. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._under_way: set[str] = set()
        self._stopping: set[str] = set()

    @contextmanager
    def register(self, name: str) -> Iterator[None]:
        """Register work under this name while the block runs."""
        with self._lock:
            self._under_way.add(name)
        try:
            yield
        finally:
            with self._lock:
                self._under_way.discard(name)
                self._stopping.discard(name)

    def stop(self, name: str) -> None:
        """Note that the work was told to stop. Work that has ended is ignored."""
        with self._lock:
            self._stopping |= {name} & self._under_way

    @property
    def is_all_stopping(self) -> bool:
        """Whether all running work was told to stop, so that nobody loses a result by a restart."""
        with self._lock:
            return self._under_way == self._stopping
