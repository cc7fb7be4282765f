"""Answers from stored lineage or from another run, whichever is quicker: at most twice the time of another run."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from whence.arrays.gather import Deadline, TookTooLong
from whence.arrays.lookups import Answering
from whence.arrays.shapes import Ids
from whence.lineage.lookup import Lookup
from whence.lineage.selection import Selection


@dataclass
class Pace:
    """Seconds that a question takes for each cell: the newest question counts half, as the first one builds indexes."""

    per_cell: float | None = None

    def note(self, seconds: float, cells: int) -> None:
        """Add the seconds of one more question."""
        new = seconds / max(cells, 1)
        self.per_cell = new if self.per_cell is None else (self.per_cell + new) / 2

    def estimate(self, cells: int) -> float | None:
        """Return the expected seconds of a question about so many cells; None before the first question."""
        return None if self.per_cell is None else self.per_cell * cells


@dataclass
class Choosing:
    """A lookup that answers from stored lineage, or runs the operator again when that is quicker."""

    stored: Answering
    rerun: Callable[[], Lookup]
    rerun_seconds: Callable[[], float]
    pace: Pace = field(default_factory=Pace)
    reran: int = 0
    """How often the operator was run again."""

    @property
    def key_count(self) -> int:
        """The number of cells that can be asked about."""
        return self.stored.key_count

    @property
    def value_count(self) -> int:
        """The number of cells that answers can name."""
        return self.stored.value_count

    def of(self, keys: Ids) -> Ids:
        """Return what each cell reaches, from stored lineage."""
        return self.stored.of(keys)

    def lengths(self, keys: Ids) -> Ids:
        """Return how many cells each cell reaches."""
        return self.stored.lengths(keys)

    def select(self, keys: Selection) -> Selection:
        """Return what all these cells reach: from stored lineage, unless another run is or proves quicker."""
        expected = self.pace.estimate(keys.count)
        if expected is not None and expected > self.rerun_seconds():
            return self._run_again(keys)
        started = time.perf_counter()
        try:
            found = self.stored.within(keys, Deadline.after(self.rerun_seconds()))
        except TookTooLong:
            # The number of cells done is not known. Counting half doubles the estimate: the next such question reruns.
            self.pace.note(time.perf_counter() - started, max(1, keys.count // 2))
            return self._run_again(keys)
        self.pace.note(time.perf_counter() - started, keys.count)
        return found

    def _run_again(self, keys: Selection) -> Selection:
        self.reran += 1
        return self.rerun().select(keys)
