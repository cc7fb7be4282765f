"""The marks of a chart with other values, where they would be drawn: a selection over the original."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from whence.charts.compile import Compiled
from whence.charts.picture import Doubts, compose
from whence.charts.positions.position import Row
from whence.charts.vega import named

MEASURES = ("lower", "q1", "q3", "upper", "density")
"""Columns of marks that measure several things at once; other values of one of them would tell half."""


def can_overlay(names: Sequence[str]) -> bool:
    """Whether marks with these columns can be drawn with other values."""
    return not set(names) & set(MEASURES)


def overlay(
    compiled: Compiled, marks: pa.Table, column: str, values: Sequence[object], most: int
) -> dict[str, list[Row]]:
    """The rows of the picture by data set, under the names that its specification gives them.

    All marks are placed, so that stacks, widths and jitter are those of the original; then those without a value go.
    A mark that is a single row is there with its own value, or not at all.
    """
    there = {mark for mark, value in enumerate(values) if value is not None}
    place = marks.column_names.index(column)
    is_raw = all(branch.relation.is_raw for branch in compiled.branches)
    if not is_raw and _is_number(marks.column(place).type):
        numbers = [0.0 if value is None else float(str(value)) for value in values]
        marks = marks.set_column(place, column, pa.array(numbers, pa.float64()))
    picture = compose(compiled, marks, Doubts(), most)
    found: dict[str, list[Row]] = {}
    for panel in picture.panels:
        for block in picture.blocks:
            if block.panel == panel:
                named(found, "rows", [row for row in block.rows if _is_there(row, there)])
    return found


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def _is_there(row: Row, there: set[int]) -> bool:
    """Rows that only close a gap in an area belong to no mark and stay."""
    return "_mark" not in row or row["_mark"] in there
