"""The stat contour: rows between the lines of equal density, or of equal value over a grid of x and y."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from whence.charts.edges import equal_width
from whence.charts.errors import wrong
from whence.charts.isolines import Field, Floats
from whence.charts.kinds import Kind
from whence.charts.options import Chosen
from whence.charts.relation import Outlines, Relation, Value
from whence.charts.series import MANY_ROWS
from whence.charts.source import Row
from whence.charts.sql import inner, literal, select
from whence.charts.stats.stat import Stat
from whence.charts.stats.traits import StatTraits
from whence.charts.training import Training, as_number, from_number
from whence.model.parameter import Parameter

_LEVELS = 8
_PLACES = 40
"""Places of the grid each way, on which a density is computed."""
_GATHERED = 100
"""Intervals each way into which many rows are gathered before a density is computed from their means."""
_REACH = 3.0
"""How many bandwidths the grid goes on beyond the rows, where the density is about zero."""
_FILLED = 0.5
"""The least share of a grid that has values. Below it, x and y are no grid."""
_LARGEST = 40_000
"""The most places of a grid of values: more than a picture has room for."""
_DIGITS = 7
"""The digits of a density, so that the query stays short. Its lines are drawn from the same rounded numbers."""


_Widths = tuple[float | None, float | None]
"""How wide bells are along x and along y. None leaves it to Scott's rule."""


class Contour(Stat):
    """The rows between two lines of equal height. A row belongs to the highest line around it."""

    name = "contour"
    title = "rows between lines of equal density of x and y, or of equal color over a grid of x and y"
    traits = StatTraits(
        needs=("x", "y"),
        numbers=("x", "y", "color"),
        geom="contour",
        passes_rows_through=False,
        sets_order=False,
        most_marks=_LEVELS,
    )
    options = (
        Parameter("levels", "whole", "how many lines, at equal steps", default=_LEVELS, least=1),
        Parameter("at", "numbers", "the heights of the lines, in place of equal steps"),
        Parameter(
            "bandwidth", "numbers", "how wide the bells of a density are along x and along y; else by Scott's rule"
        ),
    )

    def apply(self, given: Relation, chosen: Chosen, training: Training, path: str) -> Relation:
        """Find the height at each row, and count the rows between two lines."""
        if given.kinds.get("color") == "time":
            raise wrong(path, "contour needs a number as color, not a time")
        # Colour shows the height of a line, so it cannot distinguish series.
        keys = tuple(key for key in given.groups if key != "color")
        is_grid = "color" in given.kinds
        wide = _bandwidth(given, chosen, path)
        heights = _values(given, keys, training, path) if is_grid else _densities(given, keys, training, wide, path)
        if not heights:
            raise wrong(path, "no row has both x and y, so there is nothing to contour")
        levels = _levels(heights, chosen, is_grid=is_grid)
        high = _height_of_value(given, keys) if is_grid else _height_in_field(given, keys, heights)
        steps = " ".join(f"when z >= {level!r}D then {level!r}D" for level in reversed(levels))
        banded = select({**{key: key for key in keys}, "a": "a", "b": "b", "level": f"case {steps} end"}, inner(high))
        made = _counted(given, keys, banded, "density" if not is_grid else given.titles.get("color") or "color")
        rings = {(*each.key, level): each.field.rings(level) for each in heights for level in levels}
        made = replace(made, outlines=Outlines(keys, rings, tuple(_unit(given.kinds[axis]) for axis in ("x", "y"))))  # type: ignore[arg-type]
        return _with_notes(made, banded, training, heights)


@dataclass(frozen=True)
class _Height:
    """The field of one series, and its keys."""

    key: tuple[object, ...]
    field: Field
    is_guess: bool = False
    """Whether all rows stand on one line, so that the width of its bells is a guess."""


def _counted(given: Relation, keys: Sequence[str], banded: str, title: str) -> Relation:
    """Return one row for each level that has rows: from where to where they reach, and how many they are."""
    ends = {
        name: from_number(f"{function}({column})", given.kinds[name[0]])
        for name, function, column in (("x", "min", "a"), ("x2", "max", "a"), ("y", "min", "b"), ("y2", "max", "b"))
    }
    kinds: dict[str, Kind] = {key: given.kinds[key] for key in keys}
    kinds |= {**{name: given.kinds[name[0]] for name in ends}, "color": "number", "size": "number"}
    items = {**{key: key for key in keys}, **ends, "color": "level", "size": "count(*)"}
    return replace(given, sql=banded).derived(
        items,
        kinds,
        where=["level is not null"],
        group_by=[*keys, "level"],
        order=[*keys, "color"],
        titles={"color": title, "size": "rows"},
        value=Value("size", "count"),
    )


def _with_notes(made: Relation, banded: str, training: Training, heights: Sequence[_Height]) -> Relation:
    (row,) = training.ask(f"select count(*) as n, count(level) as c from {inner(banded)}")
    inside, every = int(cast(int, row["c"])), int(cast(int, row["n"]))
    if inside < every:
        made = made.noted(f"{every - inside:,} of {every:,} rows lie outside of all contours.")
    if any(each.is_guess for each in heights):
        made = made.noted("Rows that stand on one line have no width, so that of their density is a guess.")
    return made


def _levels(heights: Sequence[_Height], chosen: Chosen, *, is_grid: bool) -> list[float]:
    """Return the heights of the lines, lowest first. All panels share them, so that colours can be compared."""
    if chosen["at"] is not None:
        return sorted({float(each) for each in cast("list[float]", chosen["at"])})
    low = min(float(np.nanmin(each.field.values)) for each in heights)
    high = max(float(np.nanmax(each.field.values)) for each in heights)
    count = cast(int, chosen["levels"])
    # The lowest line of values goes around all of them. A density of zero goes on for ever.
    shares = (
        [step / count for step in range(count)] if is_grid else [step / (count + 1) for step in range(1, count + 1)]
    )
    start = low if is_grid else 0.0
    return sorted({start + (high - start) * share for share in shares})


def _bandwidth(given: Relation, chosen: Chosen, path: str) -> _Widths:
    """Return how wide bells are along x and along y, as far as the chart says it."""
    if chosen["bandwidth"] is None:
        return None, None
    path = f"{path}.bandwidth"
    wide = [float(each) for each in cast("list[float]", chosen["bandwidth"])]
    if len(wide) != 2 or min(wide) <= 0:
        raise wrong(path, "bandwidth needs two numbers above zero: along x, and along y", "Write [0.5, 2].")
    if "color" in given.kinds:
        raise wrong(path, "lines of equal value have no bandwidth", "Leave out color for lines of equal density.")
    if "time" in (given.kinds["x"], given.kinds["y"]):
        raise wrong(path, "a bandwidth is measured in numbers, and one axis holds times", "Leave it out.")
    return wide[0], wide[1]


def _densities(given: Relation, keys: Sequence[str], training: Training, wide: _Widths, path: str) -> list[_Height]:
    """Return the density of each series: a sum of Gaussian bells, as wide as Scott's rule says (1992)."""
    found = _by_key(training.ask(_points(given, keys, training)), keys)
    return [_density(key, rows, wide, path) for key, rows in found.items()]


def _points(given: Relation, keys: Sequence[str], training: Training) -> str:
    """Return a query for the points of a density: each row, or means of many rows that lie close together."""
    a, b = (as_number(name, given.kinds[name]) for name in ("x", "y"))
    where, named = ["x is not null", "y is not null"], {key: key for key in keys}
    if training.rows <= MANY_ROWS:
        return select({**named, "a": a, "b": b, "w": "1D"}, inner(given.sql), where)
    places = [
        equal_width(*(training.extent(given, name) or (0.0, 1.0)), _GATHERED).index(number)
        for name, number in (("x", a), ("y", b))
    ]
    items = {**named, "a": f"avg({a})", "b": f"avg({b})", "w": "cast(count(*) as double)"}
    return select(items, inner(given.sql), where, [*keys, *places])


def _density(key: tuple[object, ...], rows: Sequence[Row], widths: _Widths, path: str) -> _Height:
    a, b, w = (np.array([float(cast(float, row[name])) for row in rows]) for name in ("a", "b", "w"))
    axes = []
    guesses = []
    for place, stated in zip((a, b), widths, strict=True):
        mean = float((place * w).sum() / w.sum())
        deviation = math.sqrt(float((w * (place - mean) ** 2).sum()) / max(float(w.sum()) - 1, 1.0))
        guesses.append(deviation == 0 and stated is None)
        wide = stated or (deviation or 1.0) * float(w.sum()) ** (-1 / 6)
        nodes = np.linspace(place.min() - _REACH * wide, place.max() + _REACH * wide, _PLACES)
        if stated is not None and stated < nodes[1] - nodes[0]:
            least = float(place.max() - place.min()) / (_PLACES - 1 - 2 * _REACH)
            what = f"bells that are {stated:g} wide would fall between the {_PLACES} places of the grid each way"
            raise wrong(f"{path}.bandwidth", what, f"Make them at least {least:.3g} wide, or draw a part of the rows.")
        axes.append((nodes, np.exp(-0.5 * ((nodes[:, None] - place) / wide) ** 2) / (wide * math.sqrt(2 * math.pi))))
    (x, across), (y, up) = axes
    values = (across * w) @ up.T / w.sum()
    return _Height(key, Field(x, y, _rounded(values)), any(guesses))


def _rounded(values: Floats) -> Floats:
    return np.array([[float(f"{value:.{_DIGITS}g}") for value in line] for line in values.tolist()])


def _values(given: Relation, keys: Sequence[str], training: Training, path: str) -> list[_Height]:
    """Return the mean value at each place of the grid, for each series."""
    a, b = (as_number(name, given.kinds[name]) for name in ("x", "y"))
    items = {**{key: key for key in keys}, "a": a, "b": b, "z": "avg(cast(color as double))"}
    found = training.ask(select(items, inner(given.sql), _THERE, [*keys, a, b]))
    heights = []
    for key, rows in _by_key(found, keys).items():
        x, y = (np.unique([float(cast(float, row[name])) for row in rows]) for name in ("a", "b"))
        if len(x) * len(y) > _LARGEST or len(rows) < _FILLED * len(x) * len(y):
            what = (
                f"lines of equal value need a grid of x and y, and {len(rows):,} of {len(x) * len(y):,} crossings of "
                "their values have one"
            )
            raise wrong(path, what, 'Round x and y, such as {"sql": "round(x)"}, or leave out color for the density.')
        values = np.full((len(x), len(y)), np.nan)
        for row in rows:
            place = np.searchsorted(x, float(cast(float, row["a"]))), np.searchsorted(y, float(cast(float, row["b"])))
            values[place] = float(cast(float, row["z"]))
        heights.append(_Height(key, Field(x, y, values)))
    return heights


_THERE = ["x is not null", "y is not null", "color is not null"]


def _by_key(rows: Sequence[Row], keys: Sequence[str]) -> Mapping[tuple[object, ...], list[Row]]:
    found: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        found.setdefault(tuple(row[key] for key in keys), []).append(row)
    return found


def _height_of_value(given: Relation, keys: Sequence[str]) -> str:
    """Return a query with the height of each row: the mean value at its place of the grid."""
    a, b = (as_number(name, given.kinds[name]) for name in ("x", "y"))
    apart = ", ".join([*keys, "x", "y"])
    mean = f"avg(cast(color as double)) over (partition by {apart})"
    return select({**{key: key for key in keys}, "a": a, "b": b, "z": mean}, inner(given.sql), _THERE)


def _height_in_field(given: Relation, keys: Sequence[str], heights: Sequence[_Height]) -> str:
    """Return a query with the height of each row: that of the triangle of the grid in which it lies."""
    a, b = (as_number(name, given.kinds[name]) for name in ("x", "y"))
    named = {key: key for key in keys}
    where = ["x is not null", "y is not null"]
    u, v = (_steps(keys, heights, column, axis) for column, axis in (("a", 0), ("b", 1)))
    placed = select({**named, "a": a, "b": b}, inner(given.sql), where)
    known = {**named, "a": "a", "b": "b"}
    nodes = _case_of_series(keys, heights, lambda each: _array(each.field.values))
    stepped = select({**known, "u": u, "v": v, "f": nodes}, inner(placed))
    last = _PLACES - 2
    cells = {"i": f"int(least(floor(u), {last}))", "j": f"int(least(floor(v), {last}))"}
    celled = select({**known, "u": "u", "v": "v", "f": "f", **cells}, inner(stepped))
    corner = {
        f"p{right}{up}": f"element_at(f, (i + {right}) * {_PLACES} + j + {up} + 1)" for right in (0, 1) for up in (0, 1)
    }
    cornered = select({**known, "u": "u - i", "v": "v - j", **corner}, inner(celled))
    z = "if(u >= v, p00 + u * (p10 - p00) + v * (p11 - p10), p00 + v * (p01 - p00) + u * (p11 - p01))"
    return select({**known, "z": z}, inner(cornered))


def _steps(keys: Sequence[str], heights: Sequence[_Height], column: str, axis: int) -> str:
    """Return SQL for how many steps of the grid a row lies from its beginning."""

    def steps(each: _Height) -> str:
        nodes = (each.field.x, each.field.y)[axis]
        start, step = float(nodes[0]), float(nodes[-1] - nodes[0]) / (_PLACES - 1)
        return f"({column} - {start!r}D) / {step!r}D"

    return _case_of_series(keys, heights, steps)


def _case_of_series(keys: Sequence[str], heights: Sequence[_Height], sql: Callable[[_Height], str]) -> str:
    """Return SQL for what belongs to the series of a row."""
    if not keys:
        return sql(heights[0])
    cases = [
        f"when {' and '.join(f'{key} <=> {literal(value)}' for key, value in zip(keys, each.key, strict=True))} "
        f"then {sql(each)}"
        for each in heights
    ]
    return f"case {' '.join(cases)} end"


def _array(values: Floats) -> str:
    return f"array({', '.join(f'{value!r}D' for value in values.ravel().tolist())})"


def _unit(kind: Kind) -> float:
    """Return how many units of the query are one unit of the picture: times are microseconds and milliseconds."""
    return 1_000.0 if kind == "time" else 1.0
