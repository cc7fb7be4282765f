"""What each row adds to the sums from which influence is computed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from whence.explain.aggregates.aggregate import Removable, means
from whence.explain.arrays import Columns, Floats, Ints
from whence.explain.distributed.reading import Rows


@dataclass(frozen=True)
class Weigher:
    """Computes the weights of rows. Without `totals`, the state of every group, it can compute states only."""

    aggregate: Removable
    centres: Columns
    """The centres by measure and group. Means of a sample, because any centre near the values will do."""
    totals: Floats | None = None

    @classmethod
    def around(cls, aggregate: Removable, columns: Columns, owner: Ints) -> Weigher:
        """Return a weigher with the means of some rows as centres."""
        return cls(aggregate, tuple(means(column, owner) for column in columns))

    def states(self, rows: Rows) -> Floats:
        """Return what each row adds to the state of its group."""
        return self.aggregate.around(rows.columns, tuple(centre[rows.owner] for centre in self.centres))

    def falls(self, states: Floats, owner: Ints) -> Floats:
        """Return how far the value of its group falls if each row alone is removed."""
        assert self.totals is not None, "the state of whole groups is known"
        with np.errstate(all="ignore"):
            before = self.aggregate.recover(self.totals)
            fall = before[owner] - self.aggregate.recover(self.totals[owner] - states)
        return np.where(np.isfinite(fall), fall, 0.0)

    def weights(self, rows: Rows) -> Floats:
        """Return for every row: 1, the square of its fall, and its state."""
        states = self.states(rows)
        return np.column_stack([np.ones(len(states)), self.falls(states, rows.owner) ** 2, states])
