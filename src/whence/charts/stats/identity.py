"""The stat identity: each row is a mark."""

from __future__ import annotations

from whence.charts.options import Chosen
from whence.charts.relation import Relation
from whence.charts.stats.stat import Stat
from whence.charts.stats.traits import StatTraits
from whence.charts.training import Training


class Identity(Stat):
    """The rows as they are."""

    name = "identity"
    title = "each row is a mark"
    traits = StatTraits(
        needs=(),
        numbers=(),
        geom=None,
        passes_rows_through=True,
        sets_order=False,
        most_marks=None,
    )

    def apply(self, given: Relation, chosen: Chosen, training: Training, path: str) -> Relation:
        """Return the rows unchanged."""
        return given
