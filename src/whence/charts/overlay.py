"""Draw the marks of a chart with other values at their original places, as a selection over the original."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import pyarrow as pa

from whence.charts.compile import Compiled
from whence.charts.picture import Doubts, compose
from whence.charts.positions.position import Row
from whence.charts.vega import named, slotted


def overlay(
    compiled: Compiled, marks: pa.Table, column: str, columns: Mapping[str, Sequence[object]], most: int
) -> dict[str, list[Row]]:
    """Return the rows of the picture by dataset name, as in the chart's specification.

    All marks are placed first, so that stacks, widths and jitter are those of the original. Then marks without a value
    are removed. A mark that is a single row keeps its own value, or is removed.
    """
    values = columns[column]
    there = {mark for mark, value in enumerate(values) if value is not None}
    original = marks
    # Marks that are single rows keep their own values, so nothing is exchanged.
    if not all(branch.relation.is_raw for branch in compiled.branches):
        for name, each in columns.items():
            marks = _exchanged(marks, name, each, is_value=name == column)
    picture = compose(compiled, marks, Doubts(), most, original)
    found: dict[str, list[Row]] = {}
    for panel in picture.panels:
        for block in picture.blocks:
            if block.panel == panel:
                rows = [row for row in slotted(block, picture.slots) if _is_there(row, there)]
                named(found, "rows", block.branch.drawn.selected(rows))
    return found


def _exchanged(marks: pa.Table, name: str, values: Sequence[object], *, is_value: bool) -> pa.Table:
    """Return the marks with another column of numbers. A missing value is 0 until its mark is removed."""
    place = marks.column_names.index(name)
    if not _is_number(marks.column(place).type):
        return marks
    # A stack needs a number. The mark itself is removed afterwards.
    missing = 0.0 if is_value else None
    numbers = [missing if value is None else float(str(value)) for value in values]
    return marks.set_column(place, name, pa.array(numbers, pa.float64()))


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def _is_there(row: Row, there: set[int]) -> bool:
    """Return whether a row is drawn. Rows that only close a gap in an area belong to no mark and stay."""
    if "_between" in row:
        return all(mark in there for mark in cast("list[int]", row["_between"]))
    return "_mark" not in row or row["_mark"] in there
