"""The stat total: the sum of y over all rows of a panel, at an x of its own."""

from __future__ import annotations

from typing import cast

from whence.charts.aggregates import aggregate, check_kind, words
from whence.charts.errors import wrong
from whence.charts.kinds import Kind
from whence.charts.options import Chosen
from whence.charts.relation import Relation, Value
from whence.charts.spec import FACETS
from whence.charts.sql import literal
from whence.charts.stats.stat import Stat
from whence.charts.stats.traits import StatTraits
from whence.charts.training import Training
from whence.model.parameter import Parameter


class Total(Stat):
    """One bar for the whole, beside bars for its parts."""

    name = "total"
    title = "the sum of y over all rows, at an x of its own"
    traits = StatTraits(
        needs=("x", "y"),
        numbers=(),
        geom="bar",
        passes_rows_through=False,
        sets_order=True,
        most_marks=1,
    )
    options = (Parameter("label", "text", "what the total is called along x", default="total"),)

    def apply(self, given: Relation, chosen: Chosen, training: Training, path: str) -> Relation:
        """Group by panels only, and give the sum a name along x."""
        if given.kinds["x"] != "text":
            raise wrong(path, "a total has a place among names only, not along numbers or times", "Leave it out.")
        check_kind("sum", given.kinds["y"], path, given.titles.get("y", "y"))
        panels = [name for name in FACETS if name in given.kinds]
        kinds: dict[str, Kind] = {**{key: given.kinds[key] for key in panels}, "x": "text", "y": "number"}
        items = {**{key: key for key in panels}, "x": literal(cast(str, chosen["label"])), "y": aggregate("sum", "y")}
        return given.derived(
            items,
            kinds,
            group_by=panels,
            order=panels,
            titles={"y": words("sum", given.titles.get("y"))},
            value=Value("y", "sum", "y"),
        )
