"""Previews chart values without some rows where there are too many rows for memory: it reads columns when needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.explain.arrays import Bools
from whence.explain.attribute import Attribute
from whence.explain.coding import as_numbers, in_zone
from whence.explain.fetch import FetchedProblem
from whence.explain.predicate import Condition, Predicate, Range, Values
from whence.explain.preview import Bar
from whence.explain.time_part import KNOWN, Timed, TimePart
from whence.model.errors import UserError

_BARS = 20
_NAMED = 12
_COLUMNS = 6
"""Columns in the cache: a user who tries conditions goes back and forth between a few."""

Over = Callable[[Bools], Sequence[float | None]]
"""Computes the value of every mark over some rows of the dataset, given as a mask."""


class LargePreview:
    """The values of a chart with all rows behind them. The search itself has read only a sample of these."""

    def __init__(self, whole: FetchedProblem, read: Callable[[str], pa.ChunkedArray], zone: str, over: Over) -> None:
        self._whole = whole
        self._over = over
        self._column = lru_cache(maxsize=_COLUMNS)(lambda name: in_zone(read(name).combine_chunks(), zone))

    @property
    def rows(self) -> int:
        """The number of rows behind all values."""
        return len(self._whole.rids)

    @property
    def columns(self) -> list[str]:
        """The columns that may explain the values and belong to the dataset itself."""
        return [name for name in self._attributes if name not in self._whole.foreign]

    @cached_property
    def _attributes(self) -> Mapping[str, Attribute]:
        found: dict[str, Attribute] = {}
        for each in self._whole.problem.attributes:
            if each.part is None or each.name not in found:  # the column itself, if it is there, goes before its parts
                found[each.name] = each
        return found

    @cached_property
    def _behind(self) -> Bools:
        there = np.zeros(self._whole.input.rows, dtype=np.bool_)
        there[self._whole.rids[self._whole.rids >= 0]] = True  # -1 is the padded side of an outer join
        return there

    def matching_rows(self, predicate: Predicate) -> Bools:
        """Return a mask of the rows of the dataset that are behind the values and meet a predicate."""
        met = self._behind.copy()
        for condition in predicate.conditions:
            met &= _met(condition, self._column(condition.column))
        return met

    def recompute(self, predicate: Predicate, *, keep: bool) -> dict[int, float | None]:
        """Return each value without the rows that meet a predicate, or with `keep` from them alone, by its row."""
        met = self.matching_rows(predicate)
        values = self._over(met if keep else self._behind & ~met)
        return {int(row): None if values[row] is None else float(str(values[row])) for row in self._whole.marked}

    def distribution(self, name: str) -> list[Bar]:
        """Return a histogram of a column over all rows of the dataset: bars of equal width, or the commonest values."""
        attribute, column = self._attributes[name], self._column(name)
        if not attribute.is_ordered and attribute.part is None:
            return _category_bars(column)
        numbers = as_numbers(column)
        counts, edges = np.histogram(numbers[~np.isnan(numbers)], bins=_BARS)
        scale = Range(name, None, None, attribute.scale, is_whole=False)
        return [
            Bar(f"{_short(scale, low)} to {_short(scale, high)}", int(count), float(low), float(high))
            for count, low, high in zip(counts, edges[:-1], edges[1:], strict=True)
        ]

    def range_of(self, column: str, low: float | None, high: float | None) -> Range | None:
        """Return a range of an ordered column; None for a column without an order."""
        attribute = self._attributes[column]
        return Range(column, low, high, attribute.scale) if attribute.is_ordered else None

    def part_of(self, column: str, name: str) -> TimePart:
        """Return a part, such as the hour, of a column of dates or times. Raise if the column has no such part."""
        kind = self._column(column).type
        of: Timed = "date" if pa.types.is_date(kind) else "timestamp"
        if not (pa.types.is_date(kind) or pa.types.is_timestamp(kind)) or name not in KNOWN[of]:
            raise UserError(f"{column} has no part {name}.", f"Dates have {', '.join(KNOWN['date'])}.")
        return TimePart(name, of)


def _met(condition: Condition, column: pa.Array) -> Bools:
    if isinstance(condition, Values) and condition.part is None:
        known = pa.array([value for value in condition.values if value is not None]).cast(column.type)
        met: Bools = pc.is_in(column, known).to_numpy(zero_copy_only=False)
        return met | column.is_null().to_numpy(zero_copy_only=False) if None in condition.values else met
    return condition.matches(as_numbers(column))


def _category_bars(column: pa.Array) -> list[Bar]:
    """Return a bar for each of the commonest values. Whole numbers are sorted."""
    counted = sorted(column.value_counts().to_pylist(), key=lambda each: -each["counts"])[:_NAMED]
    if all(isinstance(each["values"], int) for each in counted):
        counted.sort(key=lambda each: each["values"])
    words = [("missing" if each["values"] is None else str(each["values"]), each) for each in counted]
    return [Bar(word, each["counts"], value=each["values"]) for word, each in words]


def _short(scale: Range, value: float) -> str:
    return f"{value:.4g}" if scale.scale == "number" else scale.plain(round(value)).removesuffix(" 00:00:00")
