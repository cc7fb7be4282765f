"""Stored lineage or another run, whichever is quicker: never more than twice as long as running again."""

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
    """What a cell of a question has cost lately: the newest question counts half, as the first one derives indexes."""

    per_cell: float | None = None

    def note(self, seconds: float, cells: int) -> None:
        """One more question."""
        new = seconds / max(cells, 1)
        self.per_cell = new if self.per_cell is None else (self.per_cell + new) / 2

    def estimate(self, cells: int) -> float | None:
        """What a question about so many cells may cost; None while nothing is known."""
        return None if self.per_cell is None else self.per_cell * cells


@dataclass
class Choosing:
    """A lookup that is worked out from what is stored, and one that comes from running the operator again."""

    stored: Answering
    rerun: Callable[[], Lookup]
    rerun_seconds: Callable[[], float]
    pace: Pace = field(default_factory=Pace)
    reran: int = 0
    """How often it was run again."""

    @property
    def key_count(self) -> int:
        """How many cells can be asked about."""
        return self.stored.key_count

    @property
    def value_count(self) -> int:
        """How many cells answers can name."""
        return self.stored.value_count

    def of(self, keys: Ids) -> Ids:
        """Cell by cell, from what is stored."""
        return self.stored.of(keys)

    def lengths(self, keys: Ids) -> Ids:
        """How many each cell reaches."""
        return self.stored.lengths(keys)

    def select(self, keys: Selection) -> Selection:
        """Stored, unless that is known to be slower, or turns out to be."""
        expected = self.pace.estimate(keys.count)
        if expected is not None and expected > self.rerun_seconds():
            return self._run_again(keys)
        started = time.perf_counter()
        try:
            found = self.stored.within(keys, Deadline.after(self.rerun_seconds()))
        except TookTooLong:
            self.pace.note(time.perf_counter() - started, max(1, keys.count // 2))
            return self._run_again(keys)
        self.pace.note(time.perf_counter() - started, keys.count)
        return found

    def _run_again(self, keys: Selection) -> Selection:
        self.reran += 1
        return self.rerun().select(keys)
