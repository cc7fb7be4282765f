"""Recompute a column without the rows of a predicate, or from them alone, for the chart that previews an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np
import pyarrow as pa

from whence.explain.arrays import Bools
from whence.explain.attribute import Attribute
from whence.explain.choose_attributes import make_attribute
from whence.explain.coding import as_numbers
from whence.explain.fetch import FetchedProblem
from whence.explain.influence import Scorer
from whence.explain.predicate import Condition, Predicate, Range
from whence.explain.time_part import KNOWN, Timed, TimePart
from whence.model.errors import NotSupported, UserError

_BARS = 20
"""Bars of the histogram of an ordered column."""
_NAMED = 12
"""The most values of an unordered column that get a bar."""


@dataclass(frozen=True)
class Bar:
    """One bar of a distribution: the number of rows with values from low to high, or with one value."""

    label: str
    count: int
    low: float | None = None
    high: float | None = None
    value: object = None


class Preview:
    """The values of a column of a dataset that are not NULL, with all input rows behind them."""

    def __init__(self, whole: FetchedProblem) -> None:
        if whole.spark_problem is not None:
            raise NotSupported("There are too many rows behind these values to preview them.", "Explain a few of them.")
        self._whole = whole

    @cached_property
    def _scorer(self) -> Scorer:
        return Scorer(self._whole.problem)

    @property
    def rows(self) -> int:
        """The number of rows behind all the values."""
        return self._whole.problem.rows

    def matching_rows(self, predicate: Predicate) -> Bools:
        """Return which of the rows behind the values meet a predicate."""
        columns = {each.column: _read(each, self._whole.values) for each in predicate.conditions}
        return predicate.matches(columns)

    def recompute(self, predicate: Predicate, *, keep: bool) -> dict[int, float | None]:
        """Return each row's value without the rows that meet the predicate, or with `keep`, from those rows alone.

        The value is None where no rows are left to compute it from.
        """
        met = self.matching_rows(predicate)
        after = self._scorer.values_without(~met if keep else met)
        values = zip(self._whole.marked, after, strict=True)
        return {int(row): float(value) if np.isfinite(value) else None for row, value in values}

    @cached_property
    def _attributes(self) -> Mapping[str, Attribute]:
        made = {name: make_attribute(name, values) for name, values in self._whole.values.items()}
        return {name: each for name, each in made.items() if each is not None}

    def distribution(self, name: str) -> list[Bar]:
        """Return how a column is distributed over the rows: bars of equal width, or the commonest values."""
        attribute = self._attributes.get(name)
        if attribute is None:
            return []
        if not attribute.is_ordered:
            counts = np.bincount(attribute.codes, minlength=attribute.width)
            named = list(enumerate(attribute.labels))[:_NAMED]
            # Whole numbers read best in their own order, not by frequency.
            if all(isinstance(value, int) for _, value in named):
                named.sort(key=lambda each: cast(int, each[1]))
            return [Bar("missing" if v is None else str(v), int(counts[code]), value=v) for code, v in named]
        numbers = as_numbers(self._whole.values[name])
        counts, edges = np.histogram(numbers[~np.isnan(numbers)], bins=_BARS)
        scale = Range(name, None, None, attribute.scale, is_whole=False)
        return [
            Bar(f"{_short(scale, low)} to {_short(scale, high)}", int(count), float(low), float(high))
            for count, low, high in zip(counts, edges[:-1], edges[1:], strict=True)
        ]

    def range_of(self, column: str, low: float | None, high: float | None) -> Range | None:
        """Return a range over an ordered column, or None if the column has no order."""
        attribute = self._attributes.get(column)
        return Range(column, low, high, attribute.scale) if attribute is not None and attribute.is_ordered else None

    def part_of(self, column: str, name: str) -> TimePart:
        """Return the named part of a date or timestamp column, or raise a UserError."""
        kind = self._whole.values[column].type
        of: Timed = "date" if pa.types.is_date(kind) else "timestamp"
        if not (pa.types.is_date(kind) or pa.types.is_timestamp(kind)) or name not in KNOWN[of]:
            raise UserError(f"{column} has no part {name}.", f"Dates have {', '.join(KNOWN['date'])}.")
        return TimePart(name, of)


def _short(scale: Range, value: float) -> str:
    return f"{value:.4g}" if scale.scale == "number" else scale.plain(round(value)).removesuffix(" 00:00:00")


def _read(condition: Condition, values: Mapping[str, pa.Array]) -> np.ndarray:
    """Return the column in the form that the condition matches: numbers, or objects for a set of values."""
    column = values[condition.column]
    if isinstance(condition, Range) or condition.part is not None:
        return as_numbers(column)
    listed = np.empty(len(column), dtype=object)
    listed[:] = column.to_pylist()
    return listed
