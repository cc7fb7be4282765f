"""Reports the progress of a load to a caller: rarely enough to cost nothing, and not at all while it is quick."""

from __future__ import annotations

import time
from collections.abc import Callable

Report = Callable[[int, int, str], object]
"""Called with the amount done, the total and the phase."""

_QUIET = 1.0
"""Seconds before the first report."""
_PAUSE = 0.2
"""Seconds between two reports."""


class Progress:
    """Passes progress on to a callback, first after a second and then five times a second at most."""

    def __init__(self, report: Report | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._report = report
        self._clock = clock
        self._next = clock() + _QUIET

    def step(self, done: int, total: int, phase: str) -> None:
        """Report how far a phase is, unless the last report was a moment ago."""
        if self._report is not None and self._clock() >= self._next:
            self._next = self._clock() + _PAUSE
            self._report(done, total, phase)
