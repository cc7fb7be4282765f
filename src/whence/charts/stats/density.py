"""The stat density: a kernel density estimate along an axis, a sum of Gaussian bells with one for each row."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import cast

from whence.charts.errors import wrong
from whence.charts.kinds import Kind
from whence.charts.options import Chosen
from whence.charts.relation import Relation, Several
from whence.charts.series import gathered, grid, kinds_of, same_series
from whence.charts.source import Row
from whence.charts.spec import FACETS
from whence.charts.stats.stat import Stat
from whence.charts.stats.traits import StatTraits
from whence.charts.training import Training, as_number, from_number
from whence.model.parameter import Parameter

_PLACES = 100
"""Points of a curve."""


class Density(Stat):
    """A Gaussian kernel density estimate along x, or along y for each x (a violin)."""

    name = "density"
    title = "how dense rows lie along x; along y for each x that is text"
    traits = StatTraits(
        needs=(),
        numbers=(),
        geom="area",
        passes_rows_through=False,
        sets_order=False,
        most_marks=_PLACES,
    )
    options = (
        Parameter("bandwidth", "number", "how wide a bell is; by Silverman's rule if left open", least=1e-12),
        Parameter("n", "whole", "at how many places it is computed", default=_PLACES, least=2),
        Parameter("cut", "number", "how many bandwidths it goes on beyond the rows", default=3, least=0),
    )

    def apply(self, given: Relation, chosen: Chosen, training: Training, path: str) -> Relation:
        """Compute the density at a grid of places. Each place reads all rows of its series."""
        axis = "y" if given.kinds.get("y") in ("number", "time") else "x"
        if given.kinds.get(axis, "text") == "text":
            raise wrong(path, "density needs numbers or times, not text", "Map a column of numbers to x or y.")
        keys, kind = _keys(given, axis), given.kinds[axis]
        number = as_number(axis, kind)
        items = {
            "lo": f"min({number})",
            "hi": f"max({number})",
            "n": f"count({axis})",
            "sd": f"stddev_samp({number})",
            "iqr": f"percentile({number}, 0.75) - percentile({number}, 0.25)",
        }
        found = training.by_group(given, items, keys=keys)
        series = tuple(_reach(row, chosen) for row in found if row["lo"] is not None)
        points = gathered(given, keys, axis, training, "density", with_y=False)
        places = grid(keys, series, ("lo", "hi", "h", "n"), cast(int, chosen["n"]))
        named = "".join(f"s_{key}, " for key in keys)
        bell = f"sum(w * exp(-0.5D * power((g - a) / h, 2))) / (n * h * {math.sqrt(2 * math.pi)!r}D)"
        summed = (
            f"select {named}g, {bell} as dense from {points} join ({places}) on {same_series(keys)} "
            f"group by {named}i, g, h, n"
        )
        out = "density" if axis == "y" else "y"
        shown = [f"s_{key} as {key}" for key in keys]
        place = from_number("g", kind)
        sql = f"select {', '.join([*shown, f'{place} as {axis}', f'dense as {out}'])} from ({summed})"
        kinds: dict[str, Kind] = {**kinds_of(keys, given.kinds), axis: kind, out: "number"}
        titles = {**given.titles, out: "density"}
        several = (
            Several(kind="densities", column=out, along=axis, of=None, options=chosen, series=series)
            if given.is_raw
            else None
        )
        made = replace(given, sql=sql, kinds=kinds, order=(*keys, axis), titles=titles, several=several)
        made = replace(made, value=None, grouping=None, is_raw=False)
        alone = sum(not _has_spread(row) for row in series) if chosen["bandwidth"] is None else 0
        if not alone:
            return made
        return made.noted(f"{alone:,} of {len(series):,} density curves stand on one value, so their width is a guess.")


def _keys(given: Relation, axis: str) -> tuple[str, ...]:
    """Return the columns that tell curves apart: along y, each x is a violin of its own."""
    if axis == "x" or "x" not in given.kinds:
        return given.groups
    panels = [name for name in given.groups if name in FACETS]
    return (*panels, "x", *(name for name in given.groups if name not in FACETS))


def _has_spread(row: Row) -> bool:
    return any(row[name] for name in ("sd", "iqr"))


def _reach(row: Row, chosen: Chosen) -> Row:
    """Return the series with its bandwidth `h` (by default Silverman's rule) and its ends extended by `cut`."""
    n, sd, iqr = (float(cast(float, row[name] or 0.0)) for name in ("n", "sd", "iqr"))
    wide = cast("float | None", chosen["bandwidth"])
    if wide is None:
        spread = min(each for each in (sd, iqr / 1.34, math.inf) if each > 0 or math.isinf(each))
        # Silverman's rule of thumb. Without any spread a width of 1 is a guess, which a note tells the reader.
        wide = 0.9 * (spread if math.isfinite(spread) else 1.0) * n**-0.2
    beyond = float(cast(float, chosen["cut"])) * wide
    low, high = float(cast(float, row["lo"])), float(cast(float, row["hi"]))
    return {**row, "lo": low - beyond, "hi": high + beyond, "h": float(wide), "n": n}
