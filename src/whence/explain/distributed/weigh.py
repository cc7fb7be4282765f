"""What each row adds to the sums that influence is computed from, given what all rows of its group add up to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from whence.explain.aggregates.aggregate import Removable, means
from whence.explain.arrays import Columns, Floats, Ints
from whence.explain.distributed.reading import Rows


@dataclass(frozen=True)
class Weigher:
    """`totals` is the state of every group; until it is known, only states can be weighed."""

    aggregate: Removable
    centres: Columns
    """By measure and group: means of a sample, for any centre near the values will do."""
    totals: Floats | None = None

    @classmethod
    def around(cls, aggregate: Removable, columns: Columns, owner: Ints) -> Weigher:
        """With centres from some rows."""
        return cls(aggregate, tuple(means(column, owner) for column in columns))

    def states(self, rows: Rows) -> Floats:
        """What each row adds to the state of its group."""
        return self.aggregate.around(rows.columns, tuple(centre[rows.owner] for centre in self.centres))

    def falls(self, states: Floats, owner: Ints) -> Floats:
        """How far the value of its group falls when each row goes alone."""
        assert self.totals is not None, "the state of whole groups is known"
        with np.errstate(all="ignore"):
            before = self.aggregate.recover(self.totals)
            fall = before[owner] - self.aggregate.recover(self.totals[owner] - states)
        return np.where(np.isfinite(fall), fall, 0.0)

    def weights(self, rows: Rows) -> Floats:
        """Of every row: itself, the square of what it changes alone, the aggregate's state."""
        states = self.states(rows)
        return np.column_stack([np.ones(len(states)), self.falls(states, rows.owner) ** 2, states])
