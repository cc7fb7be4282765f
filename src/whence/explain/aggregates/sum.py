"""The aggregate SUM."""

from __future__ import annotations

import numpy as np

from whence.explain.aggregates.aggregate import Removable, filled
from whence.explain.arrays import Columns, Floats
from whence.explain.complaint import Kind


class Sum(Removable):
    """SUM(x). Over no rows it counts as 0, not NULL, so that a predicate may explain a whole group away."""

    name = "sum"
    keeps_value_when_empty = True

    def around(self, columns: Columns, centres: Columns) -> Floats:
        return filled(columns[0])[:, None]

    def recover(self, states: Floats) -> Floats:
        return states[..., 0]

    def is_anti_monotone(self, columns: Columns, kind: Kind) -> bool:
        values = filled(columns[0])
        never_negative, never_positive = bool(np.all(values >= 0)), bool(np.all(values <= 0))
        # If all terms have one sign, removing more rows moves the sum further in one direction.
        answers = {"high": never_negative, "low": never_positive, "wrong": never_negative or never_positive}
        return answers.get(kind, False)
