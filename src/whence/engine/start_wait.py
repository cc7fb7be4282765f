"""How long each group of jobs has waited for Spark to start, so that a cell's time and its limit leave that out."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager


class StartWait:
    """Seconds that the threads of each group spent on the start of Spark, or waited while another thread started it."""

    def __init__(self) -> None:
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._began: dict[str, float] = {}

    @contextmanager
    def waiting(self, group: str) -> Iterator[None]:
        """Count the block as waiting of this group. One thread runs a group, so its blocks do not overlap."""
        if not group:  # threads outside of cells share no group, and nothing times them
            yield
            return
        began = self._began[group] = time.monotonic()
        try:
            yield
        finally:
            del self._began[group]
            self._seconds[group] += time.monotonic() - began

    def seconds(self, group: str) -> float:
        """Return how long a group has waited, up to now if it still does."""
        began = self._began.get(group)
        return self._seconds.get(group, 0.0) + (0.0 if began is None else time.monotonic() - began)

    def forget(self, group: str) -> None:
        """Drop a group that has ended."""
        self._seconds.pop(group, None)
