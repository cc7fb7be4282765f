"""The aggregate COUNT."""

from __future__ import annotations

from whence.explain.aggregates.aggregate import Removable, present
from whence.explain.arrays import Columns, Floats
from whence.explain.complaint import Kind


class Count(Removable):
    """COUNT(x). COUNT(*) counts a measure that is never NULL."""

    name = "count"
    keeps_value_when_empty = True

    def around(self, columns: Columns, centres: Columns) -> Floats:
        return present(columns[0])[:, None]

    def recover(self, states: Floats) -> Floats:
        return states[..., 0]

    def is_anti_monotone(self, columns: Columns, kind: Kind) -> bool:
        return kind in ("high", "wrong")
