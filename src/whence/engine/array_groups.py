"""Numbers the groups of rows that keys make, and computes aggregates of each group."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.engine.array_expressions import ArrayExpressions
from whence.engine.array_keys import KeyColumns, dictionary_encoded
from whence.engine.array_values import Array, ArrayValues, Mask, NotInArrays
from whence.model.plural import counted
from whence.plan.expr import Expr

Codes = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

MOST_GROUPS = 100_000
"""With more groups than this, Spark's hash tables beat a dictionary of Python."""


class GroupNumbers:
    """Numbers for combinations of keys, given out as rows come, stretch by stretch."""

    def __init__(self, keys: Sequence[Expr]) -> None:
        self._keys = KeyColumns(keys)
        self._numbers: dict[tuple[object, ...], int] = {}
        self._stretches: list[npt.NDArray[np.int32]] = []
        self.kinds: list[str] = []
        """The Spark types of the keys, once there were rows."""

    def add_rows(self, values: ArrayExpressions, rows: int) -> None:
        """Number the next rows by their keys."""
        codes, keys = self._keys.combine(values, rows)
        self.kinds = [each.kind for each in keys]
        listed = [dictionary_encoded(each, len(each.is_valid)).to_pylist() for each in keys]
        numbers = [self._numbers.setdefault(each, len(self._numbers)) for each in zip(*listed, strict=True)]
        if len(self._numbers) > MOST_GROUPS:
            raise NotInArrays(counted(len(self._numbers), "group"))
        self._stretches.append(np.asarray(numbers, dtype=np.int32)[codes])

    @property
    def of_rows(self) -> npt.NDArray[np.int32]:
        """The group of each row."""
        return np.concatenate([np.empty(0, np.int32), *self._stretches])

    @property
    def count(self) -> int:
        """How many groups there are."""
        return len(self._numbers)

    def places(self, shown: Sequence[ArrayValues]) -> npt.NDArray[np.int32] | None:
        """Return the place of each group among keys that are shown; None if the groups are others."""
        listed = [dictionary_encoded(each, len(each.is_valid)).to_pylist() for each in shown]
        places = {keys: place for place, keys in enumerate(zip(*listed, strict=True))}
        if places.keys() != self._numbers.keys():
            return None
        return np.array([places[keys] for keys in self._numbers], dtype=np.int32)

    def key(self, number: int, kind: str) -> ArrayValues:
        """Return one key of each group."""
        values = [each[number] for each in self._numbers]
        if kind == "string":
            return ArrayValues(pa.chunked_array([pa.array(values, pa.string())]), kind)
        type_of = np.float64 if kind == "double" else np.bool_ if kind == "boolean" else np.int64
        data: Array = np.array([0 if each is None else each for each in values], dtype=type_of)
        return ArrayValues(data, kind, np.array([each is not None for each in values], dtype=bool))


class GroupedNumbers:
    """The numbers of an expression in the rows of each group, NULLs left out."""

    def __init__(self, groups: npt.NDArray[np.int32], count: int, values: ArrayValues) -> None:
        kept = None if values.valid is None else np.flatnonzero(values.valid)
        self._groups = groups if kept is None else groups[kept]
        self._values = values.numbers if kept is None else values.numbers[kept]
        self._count = count
        self._kind = values.kind

    @cached_property
    def counts(self) -> Codes:
        """How many numbers each group has."""
        return np.bincount(self._groups, minlength=self._count).astype(np.int64)

    @cached_property
    def _has_any(self) -> Mask:
        return np.asarray(self.counts > 0)

    @cached_property
    def _sums(self) -> Floats:
        sums = np.bincount(self._groups, weights=self._values.astype(np.float64), minlength=self._count)
        return sums.astype(np.float64)

    @cached_property
    def _sorted(self) -> list[Floats]:
        """The numbers of each group, in order."""
        # NumPy sorts short integers by their digits, which is several times faster.
        short = self._groups.astype(np.uint16) if self._count < 2**16 else self._groups
        numbers = self._values.astype(np.float64)[np.argsort(short, kind="stable")]
        return [np.sort(each) for each in np.split(numbers, np.cumsum(self.counts)[:-1])] if self._count else []

    def total(self) -> ArrayValues:
        """Return the sum of each group."""
        if self._kind == "double":
            return self._result(self._sums)
        sums = np.zeros(self._count, dtype=np.int64)
        if float(np.abs(self._values.astype(np.float64)).sum()) >= 2.0**62:
            raise NotInArrays("overflow")
        np.add.at(sums, self._groups, self._values.astype(np.int64))
        return ArrayValues(sums, "bigint", self._has_any)

    def mean(self) -> ArrayValues:
        """Return the mean of each group."""
        return self._result(self._sums / np.maximum(self.counts, 1))

    def least(self) -> ArrayValues:
        """Return the least value of each group."""
        return self._extreme(np.minimum)

    def greatest(self) -> ArrayValues:
        """Return the greatest value of each group."""
        return self._extreme(np.maximum)

    def _extreme(self, choose: np.ufunc) -> ArrayValues:
        found = np.zeros(self._count, dtype=self._values.dtype)
        # Some value of the group to begin with, so that no value has to stand for none.
        found[self._groups] = self._values
        choose.at(found, self._groups, self._values)
        return ArrayValues(found, self._kind, self._has_any)

    def variance(self) -> ArrayValues:
        """Return the sample variance of each group; a single number has none."""
        means = self._sums / np.maximum(self.counts, 1)
        away = self._values.astype(np.float64) - means[self._groups]
        squares = np.bincount(self._groups, weights=away * away, minlength=self._count)
        return ArrayValues(squares / np.maximum(self.counts - 1, 1), "double", np.asarray(self.counts > 1))

    def deviation(self) -> ArrayValues:
        """Return the standard deviation of each group."""
        variance = self.variance()
        return ArrayValues(np.sqrt(variance.numbers), "double", variance.valid)

    def percentile(self, share: float) -> ArrayValues:
        """Return the number below which this share of each group lies, between two numbers if need be."""
        found = np.zeros(self._count)
        for number, values in enumerate(self._sorted):
            if len(values):
                place = (len(values) - 1) * share
                low, high = int(np.floor(place)), int(np.ceil(place))
                # Spark's own formula, for the same last digit.
                is_exact = low == high or values[low] == values[high]
                found[number] = values[low] if is_exact else (high - place) * values[low] + (place - low) * values[high]
        return self._result(found)

    def first_from(self, bounds: ArrayValues) -> ArrayValues:
        """Return the least number of each group that is not below its bound."""
        places = [np.searchsorted(values, bound) for values, bound in self._bounded(bounds)]
        return self._at(places, bounds)

    def last_up_to(self, bounds: ArrayValues) -> ArrayValues:
        """Return the greatest number of each group that is not above its bound."""
        places = [np.searchsorted(values, bound, "right") - 1 for values, bound in self._bounded(bounds)]
        return self._at(places, bounds)

    def _bounded(self, bounds: ArrayValues) -> list[tuple[Floats, float]]:
        return list(zip(self._sorted, bounds.numbers.astype(np.float64).tolist(), strict=True))

    def _at(self, places: Sequence[np.integer], bounds: ArrayValues) -> ArrayValues:
        found = np.zeros(self._count)
        is_there = np.zeros(self._count, dtype=bool)
        for number, (values, place) in enumerate(zip(self._sorted, places, strict=True)):
            is_there[number] = 0 <= place < len(values)
            found[number] = values[place] if is_there[number] else 0.0
        return ArrayValues(found, "double", is_there & bounds.is_valid)

    def _result(self, values: Floats) -> ArrayValues:
        return ArrayValues(values, "double", self._has_any)


AGGREGATES: Mapping[str, Callable[[GroupedNumbers], ArrayValues]] = {
    "sum": GroupedNumbers.total,
    "average": GroupedNumbers.mean,
    "min": GroupedNumbers.least,
    "max": GroupedNumbers.greatest,
    "variancesamp": GroupedNumbers.variance,
    "stddevsamp": GroupedNumbers.deviation,
}
"""Aggregates of one number, by the names that expressions have."""
