"""The stat bin2d: rows grouped by squares of x and y, which also replaces scatter plots of too many points."""

from __future__ import annotations

from typing import cast

from whence.charts.aggregates import FUNCTIONS, aggregate, words
from whence.charts.errors import wrong
from whence.charts.kinds import Kind
from whence.charts.options import Chosen
from whence.charts.relation import Relation, Value
from whence.charts.stats.bin import binned
from whence.charts.stats.stat import Stat
from whence.charts.stats.traits import StatTraits
from whence.charts.training import Training
from whence.model.parameter import Parameter

_DEFAULT_BINS = 30


class Bin2d(Stat):
    """A heat map of counts, or of a function of color."""

    name = "bin2d"
    title = "rows by squares of x and y"
    traits = StatTraits(
        needs=("x", "y"),
        numbers=(),
        geom="cell",
        passes_rows_through=False,
        sets_order=False,
        most_marks=_DEFAULT_BINS * _DEFAULT_BINS,
    )
    options = (
        Parameter("bins", "whole", "how many bins each way", default=_DEFAULT_BINS, least=1),
        Parameter("xbins", "whole", "how many bins along x", least=1),
        Parameter("ybins", "whole", "how many bins along y", least=1),
        Parameter("maxbins", "whole", "at most how many bins each way, on round numbers", least=1),
        Parameter("fun", "choice", "the function of color", default="mean", choices=tuple(FUNCTIONS)),
    )

    def apply(self, given: Relation, chosen: Chosen, training: Training, path: str) -> Relation:
        """Group by the edges of the square. Along an axis of text, group by the text."""
        if given.kinds["x"] == given.kinds["y"] == "text":
            raise wrong(path, "bin2d needs numbers or times as x or y", "Names are counted by the stat count.")
        # Colour shows the value of a square, so it cannot distinguish series.
        groups = tuple(key for key in given.groups if key != "color")
        edges = {**_edges(given, "x", chosen, training), **_edges(given, "y", chosen, training)}
        of = "color" if given.kinds.get("color") == "number" else None
        function = "count" if of is None else cast(str, chosen["fun"])
        kinds: dict[str, Kind] = {key: given.kinds[key] for key in groups}
        kinds |= {name: given.kinds[name[0]] for name in edges}
        kinds["color"] = "number"
        items = {**{key: key for key in groups}, **edges, "color": aggregate(function, of)}
        return given.derived(
            items,
            kinds,
            where=["x is not null", "y is not null"],
            group_by=[*groups, *edges.values()],
            order=[*groups, "x", "y"],
            titles={"color": words(function, given.titles.get("color") if of else None)},
            value=Value("color", function, of),
        )


def _edges(given: Relation, name: str, chosen: Chosen, training: Training) -> dict[str, str]:
    """Return SQL for the start and the end of a square along an axis."""
    if given.kinds[name] == "text":
        return {name: name}
    wish = {"bins": chosen[f"{name}bins"] or chosen["bins"], "maxbins": chosen["maxbins"]}
    low, high = binned(given, name, wish, training)
    return {name: low, f"{name}2": high}
