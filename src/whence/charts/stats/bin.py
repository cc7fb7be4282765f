"""The stat bin: rows grouped by intervals of x, of equal width, on round numbers, or by calendar units."""

from __future__ import annotations

from typing import cast

from whence.charts.aggregates import FUNCTIONS, aggregate, check_kind, words
from whence.charts.edges import Edges, equal_width, round_edges
from whence.charts.kinds import Kind
from whence.charts.options import Chosen
from whence.charts.relation import Relation, Value
from whence.charts.stats.stat import Stat
from whence.charts.stats.traits import StatTraits
from whence.charts.training import Training, as_number, from_number
from whence.model.parameter import Parameter

UNITS = ("year", "quarter", "month", "week", "day", "hour", "minute", "second")
_LENGTHS = {"quarter": "interval 3 months", "week": "interval 7 days"}
"""The SQL length of a unit, where it is not `interval 1 unit`."""

EDGE_OPTIONS = (
    Parameter("bins", "whole", "how many bins of equal width, from the smallest value to the largest", least=1),
    Parameter("maxbins", "whole", "at most how many bins on round numbers", least=1),
    Parameter("step", "number", "how wide a bin is"),
    Parameter("start", "number", "where the first bin begins"),
    Parameter("unit", "choice", "a unit of the calendar", choices=UNITS),
)
_DEFAULT_BINS = 30


class Bin(Stat):
    """A histogram: the number of rows in each bin, or the sum or another function of y."""

    name = "bin"
    title = "rows by stretches of x, of equal width, on round numbers (`maxbins`) or by `unit` of the calendar"
    traits = StatTraits(
        needs=("x",),
        numbers=("x",),
        geom="bar",
        passes_rows_through=False,
        sets_order=False,
        most_marks=_DEFAULT_BINS,
    )
    options = (
        *EDGE_OPTIONS,
        Parameter("fun", "choice", "the function of y; its sum if left open", choices=tuple(FUNCTIONS)),
    )

    def apply(self, given: Relation, chosen: Chosen, training: Training, path: str) -> Relation:
        """Group by the edges of the bin, so that the keys of a mark are what is drawn."""
        out = "y"
        of = "y" if "y" in given.kinds else None
        function = cast("str | None", chosen["fun"]) or ("count" if of is None else "sum")
        if of is not None:
            check_kind(function, given.kinds["y"], path, given.titles.get("y", "y"))
        low, high = binned(given, "x", chosen, training)
        groups = given.groups
        kinds: dict[str, Kind] = {**{key: given.kinds[key] for key in groups}, "x": given.kinds["x"]}
        kinds |= {"x2": given.kinds["x"], out: "number"}
        items = {**{key: key for key in groups}, "x": low, "x2": high, out: aggregate(function, of)}
        return given.derived(
            items,
            kinds,
            where=["x is not null"],
            group_by=[*groups, low, high],
            order=[*groups, "x"],
            titles={out: words(function, given.titles.get("y") if of else None)},
            value=Value(out, function, of),
        )


def binned(given: Relation, column: str, chosen: Chosen, training: Training) -> tuple[str, str]:
    """Return SQL for the start and the end of a value's bin."""
    kind = given.kinds[column]
    unit = cast("str | None", chosen.get("unit"))
    if unit is not None and kind == "time":
        low = f"date_trunc('{unit}', {column})"
        return low, f"{low} + {_LENGTHS.get(unit, f'interval 1 {unit}')}"
    edges = _edges(given, column, chosen, training)
    index = edges.index(as_number(column, kind))
    return from_number(edges.low(index), kind), from_number(edges.low(f"({index} + 1)"), kind)


def _edges(given: Relation, column: str, chosen: Chosen, training: Training) -> Edges:
    low, high = training.extent(given, column) or (0.0, 1.0)
    step, start = cast("float | None", chosen.get("step")), cast("float | None", chosen.get("start"))
    if chosen.get("maxbins") is not None or (step is not None and start is None):
        return round_edges(low, high, cast(int, chosen.get("maxbins") or 10), step)
    if step is not None and start is not None:
        return Edges(float(start), float(step), max(1, int((high - start) // step) + 1))
    return equal_width(low if start is None else float(start), high, cast(int, chosen.get("bins") or _DEFAULT_BINS))
