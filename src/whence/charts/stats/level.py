"""The stat level: one value of y for a whole panel, which a rule draws as a reference line."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from whence.charts.aggregates import aggregate, check_kind, words
from whence.charts.kinds import Kind
from whence.charts.operator import Call
from whence.charts.options import Chosen
from whence.charts.relation import Relation, Value
from whence.charts.spec import FACETS
from whence.charts.stats.stat import Stat
from whence.charts.stats.traits import StatTraits
from whence.charts.training import Training
from whence.model.parameter import Parameter


class Level(Stat):
    """A function of all values of y in a panel. After another stat it is that of its marks."""

    name = "level"
    title = "one value for a whole panel, as a reference line: mean, median, min, max, sum"
    traits = StatTraits(
        needs=("y",),
        numbers=("y",),
        geom="rule",
        passes_rows_through=False,
        sets_order=False,
        most_marks=1,
    )
    options = (
        Parameter("over", "choice", "what it is computed of", default="rows", choices=("rows", "marks")),
        Parameter("fun", "choice", "the function", default="mean", choices=("mean", "median", "min", "max", "sum")),
    )

    def is_about_marks(self, call: Call) -> bool:
        """Return whether it is the level of the chart's marks, such as the mean of all bars."""
        return self.choose(call)["over"] == "marks"

    def apply(self, given: Relation, chosen: Chosen, training: Training, path: str) -> Relation:
        """Group by panels only."""
        function = cast(str, chosen["fun"])
        check_kind(function, given.kinds["y"], path, given.titles.get("y", "y"))
        panels = [name for name in FACETS if name in given.kinds]
        kinds: dict[str, Kind] = {**{key: given.kinds[key] for key in panels}, "y": "number"}
        items = {**{key: key for key in panels}, "y": aggregate(function, "y")}
        # Over the marks of another stat it is no function of the rows alone.
        value = Value("y", function, "y") if given.is_raw else None
        made = given.derived(
            items,
            kinds,
            group_by=panels,
            order=panels,
            titles={"y": words(function, given.titles.get("y"))},
            value=value,
        )
        return replace(made, is_raw=False)
