"""Counts the distinct values of a column. Only the most frequent leave Arrow, so that there may be millions."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from whence.notebook.sheet.convert import as_text
from whence.notebook.sheet.log import SheetLog
from whence.notebook.sheet.places import texts_of, values_at
from whence.notebook.sheet.rowset import Rows


@dataclass(frozen=True)
class ValueCount:
    """One value as text, None for no value, and the number of rows that show it."""

    text: str | None
    count: int


@dataclass(frozen=True)
class DistinctValues:
    """The most frequent values of a column, and how many distinct values there are in all."""

    values: list[ValueCount]
    count: int


def distinct(sheet: SheetLog, positions: Rows, column: str, most: int, containing: str = "") -> DistinctValues:
    """Return the most frequent values of a column in these rows. `containing` limits them to those with this text."""
    values = values_at(sheet, sheet.state.columns[column], positions)
    counted = _counted(values)
    if containing:
        hit = pc.match_substring(texts_of(counted.column("value")), containing, ignore_case=True)
        counted = counted.filter(pc.fill_null(hit, False))
    # Which of equally frequent values come is open; `sorted` below puts those that come in a fixed order.
    order = pc.select_k_unstable(counted, min(most, counted.num_rows), [("count", "descending")])
    chosen = counted.take(order).to_pydict()
    found = [
        ValueCount(None if value is None else as_text(value), count)
        for value, count in zip(chosen["value"], chosen["count"], strict=True)
    ]
    return DistinctValues(sorted(found, key=lambda each: (-each.count, each.text or "")), counted.num_rows)


def _counted(values: pa.Array) -> pa.Table:
    try:
        pairs = pc.value_counts(values)
    except pa.ArrowNotImplementedError:  # lists and structs: Arrow counts only their texts
        pairs = pc.value_counts(texts_of(values))
    return pa.table({"value": pairs.field("values"), "count": pairs.field("counts")})
