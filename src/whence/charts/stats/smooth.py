"""The stat smooth: a curve through each series, by linear regression (on logarithms if asked) or loess."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from whence.charts.kinds import Kind
from whence.charts.operator import Call
from whence.charts.options import Chosen
from whence.charts.relation import FollowedShape, Relation, Several
from whence.charts.series import MANY_ROWS, gathered, grid, kinds_of, same_series
from whence.charts.source import Row
from whence.charts.stats.stat import Stat
from whence.charts.stats.traits import StatTraits
from whence.charts.training import Training, as_number, from_number
from whence.model.lazy_module import LazyModule
from whence.model.parameter import Parameter

# Loaded at first use: importing SciPy slows down opening a workspace. scipy.special, as scipy.stats alone takes a
# second.
if TYPE_CHECKING:
    from scipy import special
else:
    special = LazyModule("scipy.special")

_BENT = {"linear": ("{x}", "{y}", "{}"), "log": ("ln({x})", "{y}", "{}"), "exp": ("{x}", "ln({y})", "exp({})")}
"""For each method, SQL that transforms x and y to a line, and SQL that transforms the fitted y back."""
_BENT["pow"] = ("ln({x})", "ln({y})", "exp({})")

_PLACES = 50
PLACES = Parameter("n", "whole", "at how many places the curve is computed", default=_PLACES, least=2)


class Smooth(Stat):
    """Loess, or least squares over x and y or their logarithms, with the confidence interval of the mean."""

    name = "smooth"
    title = "a curve through the rows: linear with its interval, log, exp, pow, or loess"
    traits = StatTraits(
        needs=("x", "y"),
        numbers=("x", "y"),
        geom="errorband",
        passes_rows_through=False,
        sets_order=False,
        most_marks=_PLACES,
    )
    options = (
        Parameter("method", "choice", "the kind of curve", default="linear", choices=(*_BENT, "loess")),
        Parameter("level", "number", "how sure the interval is", default=0.95, least=0),
        Parameter("span", "number", "the share of rows that loess reads for each place", default=0.75, least=0.01),
        PLACES,
    )

    def default_geom(self, call: Call, kinds: Mapping[str, Kind], path: str) -> Call:
        """Return a line for loess, which has no interval, and a band for the others."""
        is_bare = call.given.get("method") == "loess"
        return Call("line", {}, path) if is_bare else super().default_geom(call, kinds, path)

    def apply(self, given: Relation, chosen: Chosen, training: Training, path: str) -> Relation:
        """Compute the curve at a grid of places. Each place reads the whole series."""
        if chosen["method"] == "loess":
            return loess(given, chosen, training)
        return _least_squares(given, chosen, training)


def _least_squares(given: Relation, chosen: Chosen, training: Training) -> Relation:
    """Return the query of a regression. Its interval uses the quantile `t` of Student's distribution."""
    keys, kind = given.groups, given.kinds["x"]
    listed = "".join(f"{key}, " for key in keys)
    bend_x, bend_y, back = _BENT[cast(str, chosen["method"])]
    x, y = bend_x.format(x=as_number("x", kind)), bend_y.format(y="cast(y as double)")
    raw = as_number("x", kind)
    points = f"(select {listed}{raw} as raw, {x} as a, {y} as b from ({given.sql}))"
    # Spark's ln is NULL for zero and negative numbers: such rows do not count.
    there = "a is not null and b is not null and not isnan(a) and not isnan(b)"
    series = training.ask(
        f"select {listed}min(raw) as lo, max(raw) as hi, count(*) as n from {points} where {there} "
        + (f"group by {', '.join(keys)}" if keys else "")
    )
    series = [{**row, "t": _quantile(row, chosen)} for row in series if row["lo"] is not None]
    fit = (
        f"select {listed}avg(a) as ma, avg(b) as mb, covar_pop(a, b) / var_pop(a) as slope, var_pop(a) as va, "
        f"count(*) as n, var_pop(b) - covar_pop(a, b) * covar_pop(a, b) / var_pop(a) as vb from {points} where {there}"
        + (f" group by {', '.join(keys)}" if keys else "")
    )
    # As a dataset of its own, the fit takes one entry of lineage per row, not one per row and place.
    table = training.stage(fit, "fit") if training.rows > MANY_ROWS else f"({fit})"
    bent = bend_x.format(x="g")
    middle = f"(mb + slope * ({bent} - ma))"
    unsure = f"t * sqrt(greatest(vb, 0D) * n / (n - 2) * (1D / n + power({bent} - ma, 2) / (n * va)))"
    place = from_number("g", kind)
    items = ", ".join(
        [
            *keys,
            f"{place} as x",
            f"{back.format(middle)} as y",
            f"{back.format(middle + ' - ' + unsure)} as lower",
            f"{back.format(middle + ' + ' + unsure)} as upper",
        ]
    )
    places = grid(keys, series, ("lo", "hi", "t"), cast(int, chosen["n"])) if series else _nowhere(keys)
    sql = f"select {items} from {table} join ({places}) on {same_series(keys)}"
    kinds: dict[str, Kind] = {
        **kinds_of(keys, given.kinds),
        "x": kind,
        "y": "number",
        "lower": "number",
        "upper": "number",
    }
    made = replace(given, sql=sql, kinds=kinds, order=(*keys, "x"), value=None, grouping=None, is_raw=False)
    return replace(made, several=_several("regressions", given, chosen, series))


def _several(kind: FollowedShape, given: Relation, chosen: Chosen, series: list[Row]) -> Several | None:
    """Return how the curve follows a brush, or None for a curve through the marks of another stat."""
    return (
        Several(kind=kind, column="y", along="x", of="y", options=chosen, series=tuple(series))
        if given.is_raw
        else None
    )


def loess(given: Relation, chosen: Chosen, training: Training) -> Relation:
    """Return the query of a line at each place through the nearest rows, weighted by distance (Cleveland 1979)."""
    keys, kind = given.groups, given.kinds["x"]
    span, places = float(cast(float, chosen["span"])), cast(int, chosen["n"])
    number = as_number("x", kind)
    points = gathered(given, given.groups, "x", training, "loess", with_y=True)
    series = training.by_group(
        given,
        {"lo": f"min({number})", "hi": f"max({number})", "n": "count(*)"},
        "x is not null and y is not null",
    )
    series = [{**row, "k": max(2.0, span * float(cast(int, row["n"])))} for row in series if row["lo"] is not None]
    where = grid(keys, series, ("lo", "hi", "k"), places) if series else _nowhere(keys)
    named = "".join(f"s_{key}, " for key in keys)
    apart = f"partition by {named}i"
    pairs = f"select *, abs(a - g) as d from {points} join ({where}) on {same_series(keys)}"
    # a and b break ties of distance, so that the result is the same in every run.
    nearest = f"select *, sum(w) over ({apart} order by d, a, b rows unbounded preceding) - w as before from ({pairs})"
    # 1e-9 against rounding: weights add up to k exactly at the last neighbour.
    near = f"select *, max(d) over ({apart}) as far from ({nearest}) where before < k - 1e-9D"
    u = "(case when far > 0 then (a - g) / far else 0D end)"
    weight = "w * (case when far > 0 then power(1 - power(d / far, 3), 3) else 1D end)"
    weighed = f"select {named}i, g, {u} as u, {weight} as c, b from ({near})"
    sums = (
        f"select {named}i, g, sum(c) as s0, sum(c * u) as s1, sum(c * u * u) as s2, sum(c * b) as t0, "
        f"sum(c * u * b) as t1 from ({weighed}) group by {named}i, g"
    )
    # All points have the same x, or nearly: no slope can be told, so the value is their mean.
    flat = "abs(s0 * s2 - s1 * s1) <= 1e-12D * s0 * s0"
    value = f"case when {flat} then t0 / s0 else (s2 * t0 - s1 * t1) / (s0 * s2 - s1 * s1) end"
    place = from_number("g", kind)
    items = ", ".join([*(f"s_{key} as {key}" for key in keys), f"{place} as x", f"{value} as y"])
    kinds: dict[str, Kind] = {**kinds_of(keys, given.kinds), "x": kind, "y": "number"}
    return replace(
        given,
        sql=f"select {items} from ({sums})",
        kinds=kinds,
        order=(*keys, "x"),
        value=None,
        grouping=None,
        is_raw=False,
        several=_several("loess curves", given, chosen, series),
    )


def _quantile(row: Row, chosen: Chosen) -> float:
    n = cast(int, row["n"])
    level = float(cast(float, chosen["level"]))
    return float(special.stdtrit(n - 2, 0.5 + level / 2)) if n > 2 else float("nan")


def _nowhere(keys: tuple[str, ...]) -> str:
    """Return an empty grid, for data without any series."""
    named = "".join(f"cast(null as string) as s_{key}, " for key in keys)
    return f"select {named}0 as i, 0D as g, 0D as t, 0D as k where false"
