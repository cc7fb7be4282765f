"""Which work of this process Spark is doing for somebody who waits, and which of it was told to stop."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Work:
    """The names of work under way, one for each cell or query. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._under_way: set[str] = set()
        self._stopping: set[str] = set()

    @contextmanager
    def under(self, name: str) -> Iterator[None]:
        """Work under this name is under way while the block runs."""
        with self._lock:
            self._under_way.add(name)
        try:
            yield
        finally:
            with self._lock:
                self._under_way.discard(name)
                self._stopping.discard(name)

    def stop(self, name: str) -> None:
        """Note that the work was told to stop; work that is over is not noted."""
        with self._lock:
            self._stopping |= {name} & self._under_way

    @property
    def is_all_stopping(self) -> bool:
        """Whether nothing is under way that somebody still wants."""
        with self._lock:
            return self._under_way == self._stopping
