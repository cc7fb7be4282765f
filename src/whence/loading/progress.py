"""Telling a caller how far a load is: seldom enough to cost nothing, and not at all while it is quick."""

from __future__ import annotations

import time
from collections.abc import Callable

Report = Callable[[int, int, str], object]
"""Called with how much is done, of how much, and in which phase."""

_QUIET = 1.0
"""Seconds before the first word."""
_PAUSE = 0.2
"""Seconds between two words."""


class Progress:
    """Passes on what is done; `last` words of a phase are always passed on once anything was."""

    def __init__(self, report: Report | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._report = report
        self._clock = clock
        self._next = clock() + _QUIET

    def step(self, done: int, total: int, phase: str) -> None:
        """Say how far a phase is."""
        if self._report is not None and self._clock() >= self._next:
            self._next = self._clock() + _PAUSE
            self._report(done, total, phase)
