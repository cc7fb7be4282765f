"""The stat sample: a random sample of the rows."""

from __future__ import annotations

from typing import cast

from whence.charts.errors import wrong
from whence.charts.operator import Call
from whence.charts.options import Chosen
from whence.charts.relation import Relation
from whence.charts.stats.stat import SourceTable, Stat
from whence.charts.stats.traits import StatTraits
from whence.charts.training import Training
from whence.model.parameter import Parameter

_SIZE = 1_000


class Sample(Stat):
    """A random sample. The same seed gives the same rows."""

    name = "sample"
    title = "a random sample of the rows; the same seed gives the same rows"
    traits = StatTraits(
        needs=(),
        numbers=(),
        geom="point",
        passes_rows_through=False,
        sets_order=False,
        most_marks=_SIZE,
    )
    options = (
        Parameter("n", "whole", "how many rows", default=_SIZE, least=1),
        Parameter("seed", "whole", "which sample", default=0, least=0),
    )

    def apply(self, given: Relation, chosen: Chosen, training: Training, path: str) -> Relation:
        """Raise an error: a sample is taken by `replace_source`, which only the first stat can do."""
        raise wrong(path, "sample must be the first stat", "What comes before it has made other rows already.")

    def replace_source(self, call: Call, training: Training) -> SourceTable:
        """Return the view of the sample, which the layer reads instead of its dataset."""
        chosen = self.choose(call)
        size, rows = cast(int, chosen["n"]), training.rows
        table = training.sample(size, cast(int, chosen["seed"]))
        return SourceTable(table, f"A random sample of {min(size, rows):,} of {rows:,} rows.")
