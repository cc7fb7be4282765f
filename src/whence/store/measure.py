"""Profiles one column in a stream, in memory that does not grow with the number of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.model.schema import Field
from whence.store.frequent import Frequent
from whence.store.histogram import Bins, Histogram
from whence.store.moments import Moments
from whence.store.numbers import Numbers, as_numbers
from whence.store.plain import plain
from whence.store.profile import Profile
from whence.store.value_sample import ValueSample

SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
MOST_TOP = 10

Stream = Callable[[], Iterable[pa.Array]]
"""A function that returns the column's values from the first row on, each time it is called."""


def measure(field: Field, kind: pa.DataType, stream: Stream) -> Profile:
    """Return the profile of a column. The column is read once, and again for the histogram if it is long."""
    if pa.types.is_nested(kind):
        return _counted(field, stream)
    seen = _ColumnMeasure(kind)
    for values in stream():
        seen.add(values)
    return seen.profile(field, stream)


def _counted(field: Field, stream: Stream) -> Profile:
    sizes = [(len(values), values.null_count) for values in stream()]
    return Profile(field.name, field.type, sum(size for size, _ in sizes), sum(nulls for _, nulls in sizes))


class _ColumnMeasure:
    """The counts, sketches and samples of the values added so far."""

    def __init__(self, kind: pa.DataType) -> None:
        self._kind = kind
        self._is_floating = pa.types.is_floating(kind)
        self._is_number = pa.types.is_integer(kind) or pa.types.is_decimal(kind) or self._is_floating
        self._is_ordered = self._is_number or pa.types.is_temporal(kind)
        self._count = self._nulls = self._nans = self._infinite = 0
        self._frequent = Frequent(kind)
        self._sample = ValueSample(kind)
        self._moments = Moments()
        self._ends: list[pa.Scalar] = []
        self._low: int | float | None = None
        self._high: int | float = 0

    def add(self, values: pa.Array) -> None:
        self._count += len(values)
        self._nulls += values.null_count
        values = _normal(values.drop_null())
        if not len(values):
            return
        self._frequent.add(values)
        if self._is_floating:
            is_nan = pc.is_nan(values)
            self._nans += is_nan.true_count
            values = values.filter(pc.invert(is_nan))
        self._widen(values)
        if self._is_ordered:
            self._sample.add(values)
            self._take_numbers(_finite(as_numbers(values)), len(values))

    def profile(self, field: Field, stream: Stream) -> Profile:
        low, high = self._ends or (None, None)
        is_measured = self._is_number and self._moments.count > 0
        return Profile(
            column=field.name,
            type=field.type,
            count=self._count,
            nulls=self._nulls,
            nans=self._nans,
            infinite=self._infinite,
            distinct=self._frequent.distinct,
            distinct_error=self._frequent.distinct_error,
            min=None if low is None else plain(low),
            max=None if high is None else plain(high),
            mean=self._moments.mean if is_measured else None,
            std=self._moments.std if is_measured else None,
            quantiles=tuple((share, plain(value)) for share, value in self._sample.quantiles(SHARES)),
            quantile_error=self._sample.error,
            top=tuple((plain(value), count) for value, count in self._frequent.top(MOST_TOP)),
            top_error=self._frequent.error,
            histogram=self._histogram(stream),
        )

    def _widen(self, values: pa.Array) -> None:
        if len(values):
            both = pc.min_max(pa.array([*self._ends, *pc.min_max(values).values()], self._kind))
            self._ends = [both["min"], both["max"]]

    def _take_numbers(self, numbers: Numbers, given: int) -> None:
        self._infinite += given - len(numbers)
        if not len(numbers):
            return
        if self._is_number:
            self._moments.add(numbers.astype(np.float64))
        low, high = numbers.min().item(), numbers.max().item()
        self._high = high if self._low is None else max(self._high, high)
        self._low = low if self._low is None else min(self._low, low)

    def _histogram(self, stream: Stream) -> Histogram | None:
        if self._low is None:
            return None
        bins = Bins(self._low, self._high)
        for values in [self._sample.values] if self._sample.is_whole else stream():
            known = values.drop_null()
            bins.add(_finite(as_numbers(known)))
        return bins.histogram(self._kind)


def _normal(values: pa.Array) -> pa.Array:
    """Return floats with one form for zero and for NaN, because Arrow's sets tell 0.0 from -0.0 and NaNs apart."""
    if not pa.types.is_floating(values.type):
        return values
    numbers = values.to_numpy(zero_copy_only=False) + values.type.to_pandas_dtype()(0.0)
    return pa.array(
        np.where(np.isnan(numbers), np.array(np.nan, numbers.dtype), numbers), values.type, from_pandas=False
    )


def _finite(numbers: Numbers) -> Numbers:
    return numbers[np.isfinite(numbers)] if numbers.dtype == np.float64 else numbers
