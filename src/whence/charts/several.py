"""Build the followers of marks that measure several things: boxes, intervals, and curves with their series."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from whence.charts.curves import Curves, Density, Loess, Regression, Series
from whence.charts.following import Follower
from whence.charts.kernels import Ints, Mask, Measured
from whence.charts.relation import Several
from whence.charts.spread import Boxes, Deviations, Extremes, Quartiles

Floats = npt.NDArray[np.float64]

_NUMBERS = ("lo", "hi", "h", "n", "t", "k", "sd", "iqr")
"""The numbers that a series may have beside its keys."""


def spread(several: Several, measured: Measured) -> Follower:
    """Return the follower of boxes or intervals."""
    if several.kind == "boxes":
        return Boxes(measured, several.column, float(cast(float, several.options["reach"])))
    extent = str(several.options["extent"])
    if extent == "iqr":
        return Quartiles(measured, several.column)
    if extent == "range":
        functions = {several.column: "mean", "lower": "min", "upper": "max"}
        return Extremes(tuple((name, replace(measured, function=each)) for name, each in functions.items()))
    return Deviations(replace(measured, function="mean"), several.column, extent)


def curve(several: Several, curves: Curves) -> Follower:
    """Return the follower of densities, regressions or loess curves."""
    if several.kind == "densities":
        return Density(curves, several.column)
    if several.kind == "loess curves":
        return Loess(curves, several.column, float(cast(float, several.options["span"])))
    level = float(cast(float, several.options["level"]))
    return Regression(curves, several.column, str(several.options["method"]), level)


def all_series(
    several: Several, marks: Ints, table: pa.Table, keys: Sequence[str], rows_of: Callable[[int], Mask]
) -> tuple[list[Series], Ints] | None:
    """Return the curves of a layer and the curve of each row, or None if that cannot be told.

    That is so if a row belongs to several curves, or if the places are no numbers. All marks of a curve come from the
    same rows, so the lineage of one of them is enough.
    """
    places = as_numbers(table.column(str(several.along)), is_utc=True)
    if places is None:
        return None
    of_mark = _keys_of({name: table.column(name).to_pylist() for name in keys}, len(table))
    known = {_key(row, keys): row for row in several.series}
    found: dict[tuple[str, ...], list[int]] = {}
    for mark in marks.tolist():
        found.setdefault(of_mark[mark], []).append(mark)
    series, of_row = [], None
    for number, (key, mine) in enumerate(found.items()):
        # The mark table has a series that training did not see, so its numbers are not known.
        if key not in known:
            return None
        rows = rows_of(mine[0])
        of_row = np.full(len(rows), -1, dtype=np.int64) if of_row is None else of_row
        # Some row belongs to a second curve.
        if (of_row[rows] >= 0).any():
            return None
        of_row[rows] = number
        own = np.asarray(mine)
        series.append(Series(own, places[own], _numbers(known[key])))
    return None if of_row is None else (series, of_row)


def as_numbers(column: pa.ChunkedArray, *, is_utc: bool) -> Floats | None:
    """Return a column as numbers, with times as microseconds since 1970, or None if only Spark can convert it."""
    kind = column.type
    # Without a time zone of their own, dates and timestamps mean the session's zone, which only Spark knows unless it
    # is UTC.
    if pa.types.is_timestamp(kind) and (kind.tz is not None or is_utc):
        column = pc.cast(pc.cast(column, pa.timestamp("us", kind.tz)), pa.int64())
    elif pa.types.is_date(kind) and is_utc:
        column = pc.cast(pc.cast(column, pa.timestamp("us")), pa.int64())
    elif not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        return None
    numbers: Floats = pc.cast(column, pa.float64()).to_numpy().astype(np.float64)
    return numbers


def agrees(follower: Follower, marks: Ints, table: pa.Table) -> bool:
    """Return whether the follower reproduces the stored marks over all rows. If not, it must not be used."""
    for name, (values, there) in follower.measure(None).items():
        stored = as_numbers(table.column(name), is_utc=True)
        if stored is None:
            return False
        mine = np.where(there[marks], values[marks].astype(np.float64), np.nan)
        # Spark adds up in another order, so the last digits differ.
        if not np.allclose(mine, stored[marks], rtol=1e-6, atol=1e-9, equal_nan=True):
            return False
    return True


def _numbers(row: Mapping[str, object]) -> dict[str, float]:
    return {name: float(cast(float, row[name])) for name in _NUMBERS if isinstance(row.get(name), int | float)}


def _key(row: Mapping[str, object], keys: Sequence[str]) -> tuple[str, ...]:
    return tuple(repr(row.get(name)) for name in keys)


def _keys_of(columns: Mapping[str, list[object]], size: int) -> list[tuple[str, ...]]:
    return [tuple(repr(column[mark]) for column in columns.values()) for mark in range(size)]
