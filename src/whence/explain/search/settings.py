"""The settings of one search: values of c, lambda, limits, and the callback that hears of results."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from whence.explain.search.archive import Archive

SWEEP = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 1.0)
"""The values of c at which predicates are grown if the user gives none. Winners are chosen at 51 values."""

DEFINITION = 0.1
"""Up to this c a predicate takes so many rows that its influence by definition can be trusted and is reported."""


@dataclass(frozen=True)
class Settings:
    """The settings of one search.

    `least_rows` keeps the search from chasing a handful of rows. NAIVE, DT and MC ignore it.
    """

    cs: tuple[float, ...] = SWEEP
    lam: float = 0.5
    most_clauses: int = 4
    least_rows: float = 5.0
    time_limit: float | None = None
    report: Callable[[Archive], bool] | None = None
    """Called now and then with the archive so far. It stops the search by returning True."""
    is_quick: bool = False
    """Use fewer starts, because the caller searches dozens of times."""
    started: float = field(default_factory=time.monotonic)

    def is_over(self, archive: Archive) -> bool:
        """Return whether the time is up or the caller has stopped the search. What was found stays in the archive."""
        if self.time_limit is not None and time.monotonic() - self.started > self.time_limit:
            return True
        return self.report is not None and self.report(archive)
