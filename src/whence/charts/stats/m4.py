"""The stat m4: a long series reduced to four points for each column of pixels (Jugel et al. 2014)."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from whence.charts.edges import equal_width
from whence.charts.kinds import Kind
from whence.charts.options import Chosen
from whence.charts.relation import Relation
from whence.charts.sql import inner
from whence.charts.stats.stat import Stat
from whence.charts.stats.traits import StatTraits
from whence.charts.training import Training, as_number
from whence.model.parameter import Parameter

_COLUMNS = 600
"""Columns of pixels, each with up to four points."""


class M4(Stat):
    """The first, last, lowest and highest point of each column: they draw the same pixels as all points would."""

    name = "m4"
    title = "a long series as first, last, lowest and highest point of each column of pixels"
    traits = StatTraits(
        needs=("x", "y"),
        numbers=("x", "y"),
        geom="line",
        passes_rows_through=False,
        sets_order=False,
        most_marks=4 * _COLUMNS,
    )
    options = (Parameter("width", "whole", "how many columns of pixels", default=_COLUMNS, least=1),)

    def apply(self, given: Relation, chosen: Chosen, training: Training, path: str) -> Relation:
        """Group by column of pixels, collect its four points in an array, and explode that into marks."""
        groups, kind = given.groups, given.kinds["x"]
        low, high = training.extent(given, "x") or (0.0, 1.0)
        place = equal_width(low, high, cast(int, chosen["width"])).index(as_number("x", kind))
        points = (
            "struct(min(x) as x, min_by(y, x) as y)",
            "struct(max(x) as x, max_by(y, x) as y)",
            "struct(min_by(x, y) as x, min(y) as y)",
            "struct(max_by(x, y) as x, max(y) as y)",
        )
        # One point may be both the first and the lowest. Sorting the structs sorts by x.
        corners = f"array_sort(array_distinct(array({', '.join(points)})))"
        gathered = given.derived(
            {**{key: key for key in groups}, "p": corners},
            given.kinds,
            where=["x is not null", "y is not null"],
            group_by=[*groups, place],
        )
        names = ", ".join([*groups, "c.x as x", "c.y as y"])
        kinds: dict[str, Kind] = {key: given.kinds[key] for key in (*groups, "x", "y")}
        opened = f"select {names} from (select {', '.join([*groups, 'explode(p) as c'])} from {inner(gathered.sql)})"
        made = gathered.derived({key: key for key in kinds}, kinds, order=[*groups, "x"])
        return replace(made, sql=opened)
