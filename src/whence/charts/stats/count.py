"""The stat count: the number of rows at each place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from whence.charts.kinds import Kind
from whence.charts.operator import Call
from whence.charts.options import Chosen
from whence.charts.relation import Relation, Value
from whence.charts.stats.stat import Stat
from whence.charts.stats.traits import StatTraits
from whence.charts.training import Training
from whence.model.parameter import Parameter


class Count(Stat):
    """The number of rows by x, or by x and y."""

    name = "count"
    title = "how many rows there are at each x, or at each x and y"
    traits = StatTraits(
        needs=(),
        numbers=(),
        geom="bar",
        passes_rows_through=False,
        sets_order=False,
        most_marks=None,
    )
    options = (
        Parameter(
            "as",
            "choice",
            "which aesthetic shows the count; y if left open, or color if both x and y are keys",
            choices=("color", "size"),
        ),
    )

    def default_geom(self, call: Call, kinds: Mapping[str, Kind], path: str) -> Call:
        """Return cells if both x and y are mapped, so that colour shows the count."""
        return Call("cell", {}, path) if {"x", "y"} <= kinds.keys() else super().default_geom(call, kinds, path)

    def apply(self, given: Relation, chosen: Chosen, training: Training, path: str) -> Relation:
        """Group by the series and the positions."""
        both = "x" in given.kinds and "y" in given.kinds
        out = cast("str | None", chosen["as"]) or ("color" if both else "y")
        keys = [key for key in (*given.groups, "x", "y") if key in given.kinds and key != out]
        kinds: dict[str, Kind] = {**{key: given.kinds[key] for key in keys}, out: "number"}
        items = {**{key: key for key in keys}, out: "count(*)"}
        if "order" in given.kinds:
            items["order"] = "sum(`order`)" if given.kinds["order"] == "number" else "min(`order`)"
            kinds["order"] = given.kinds["order"]
        return given.derived(items, kinds, group_by=keys, order=keys, titles={out: "count"}, value=Value(out, "count"))
