"""Looks up by key in arrays: offsets and values, or one value per key, made once by counting sort."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from whence.lineage.block import NO_ROW, Ids
from whence.lineage.lookup import IdentityLookup, Lookup
from whence.lineage.selection import Selection
from whence.model.lazy_module import LazyModule

if TYPE_CHECKING:
    from scipy.sparse import _sparsetools
else:
    _sparsetools = LazyModule("scipy.sparse._sparsetools")

Numbers = npt.NDArray[np.integer]
_CountedPairs = npt.NDArray[np.int32 | np.int64]

_UNSIGNED = (np.uint8, np.uint16, np.uint32, np.int64)
_SIGNED = (np.int8, np.int16, np.int32, np.int64)


class ReadableArray(Protocol):
    """An array in memory or in a file."""

    def __len__(self) -> int:
        """How many numbers."""

    def part(self, start: int, stop: int) -> npt.NDArray[Any]:
        """The numbers at the places start..stop-1."""

    def take(self, places: Ids) -> npt.NDArray[Any]:
        """The numbers at these places."""


@dataclass(frozen=True)
class InMemory:
    """An array in memory."""

    numbers: Numbers

    def __len__(self) -> int:
        return len(self.numbers)

    def part(self, start: int, stop: int) -> Numbers:
        """The numbers at the places start..stop-1."""
        return self.numbers[start:stop]

    def take(self, places: Ids) -> Numbers:
        """The numbers at these places."""
        return self.numbers[places]


@dataclass(frozen=True)
class IndexFacts:
    """Two facts about a whole index that let questions about many rows skip the arrays.

    `reaches_all`: every value belongs to some key. `is_disjoint`: no value belongs to two keys.
    """

    key_count: int
    value_count: int
    reaches_all: bool
    is_disjoint: bool


class ArrayLookup(ABC):
    """Base of both index forms: answers a question about a whole selection of keys."""

    def __init__(self, facts: IndexFacts) -> None:
        self.facts = facts

    @property
    def key_count(self) -> int:
        """How many rows can be asked about."""
        return self.facts.key_count

    @property
    def value_count(self) -> int:
        """How many rows answers can name."""
        return self.facts.value_count

    @abstractmethod
    def of(self, keys: Ids) -> Ids:
        """The values of these keys, key by key."""

    @abstractmethod
    def values_of(self, key: int) -> Numbers:
        """The values of one key, in whatever type they are stored."""

    @abstractmethod
    def every_value(self) -> Numbers:
        """The values of all keys."""

    @cached_property
    def _all_values(self) -> Selection:
        if self.facts.reaches_all:
            return Selection.everything(self.value_count)
        return Selection.of(self.every_value(), self.value_count)

    def select(self, keys: Selection) -> Selection:
        """The values of all these keys together."""
        if keys.count == 0:
            return Selection.nothing(self.value_count)
        if keys.count == 1:
            return Selection.of_sorted(self.values_of(int(keys.page(0, 1)[0])), self.value_count)
        if keys.is_everything:
            return self._all_values
        if self.facts.is_disjoint and keys.count * 2 > keys.rows:
            # Most keys are chosen and no two share a value: take away what the others have.
            mask = self._all_values.mask.copy()
            mask[self.of(keys.rest)] = False
            return Selection.of_mask(mask)
        return Selection.of(self.of(keys.ids), self.value_count)


class Index(ArrayLookup):
    """For each key the values that stand beside it, as one slice of an array."""

    def __init__(self, offsets: ReadableArray, values: ReadableArray, facts: IndexFacts) -> None:
        super().__init__(facts)
        self._offsets = offsets
        self._values = values

    def of(self, keys: Ids) -> Ids:
        """All values of these keys, key by key."""
        starts = self._offsets.take(keys).astype(np.int64)
        lengths = self._offsets.take(keys + 1).astype(np.int64) - starts
        total = int(lengths.sum())
        if total == 0:
            return np.empty(0, dtype=np.int64)
        # Places of all slices at once: a running count, set back at the start of each slice.
        restart = np.repeat(starts - np.concatenate(([0], lengths.cumsum()[:-1])), lengths)
        return self._values.take(np.arange(total, dtype=np.int64) + restart).astype(np.int64, copy=False)

    def values_of(self, key: int) -> Numbers:
        """The values of one key, without a copy."""
        start, stop = self._offsets.part(key, key + 2).tolist()
        return self._values.part(start, stop)

    def every_value(self) -> Numbers:
        """The values of all keys."""
        return self._values.part(0, len(self._values))

    def lengths(self, keys: Ids) -> Ids:
        """How many values each of these keys has."""
        lengths: Ids = self._offsets.take(keys + 1).astype(np.int64) - self._offsets.take(keys).astype(np.int64)
        return lengths


class SingleIndex(ArrayLookup):
    """For each key its one value, or NO_ROW."""

    def __init__(self, values: ReadableArray, facts: IndexFacts) -> None:
        super().__init__(facts)
        self._values = values

    def of(self, keys: Ids) -> Ids:
        """The values of these keys; a key without one is passed over."""
        values: Ids = self._values.take(keys).astype(np.int64, copy=False)
        return values[np.not_equal(values, NO_ROW)]

    def values_of(self, key: int) -> Numbers:
        """The value of one key, if it has one."""
        value: Numbers = self._values.part(key, key + 1)
        return value if value[0] != NO_ROW else value[:0]

    def every_value(self) -> Numbers:
        """The values of all keys that have one."""
        values: Numbers = self._values.part(0, len(self._values))
        return values[np.not_equal(values, NO_ROW)]

    def lengths(self, keys: Ids) -> Ids:
        """One for each key that has a value."""
        values: Numbers = self._values.take(keys)
        return np.not_equal(values, NO_ROW).astype(np.int64)


def build_lookup(keys: Ids, values: Ids, key_count: int, value_count: int) -> Lookup:
    """The smallest form that answers: nothing, one value per key, or offsets and values."""
    arrays, facts = build_arrays(keys, values, key_count, value_count)
    return from_arrays({name: InMemory(array) for name, array in arrays.items()}, facts)


def from_arrays(arrays: Mapping[str, ReadableArray], facts: IndexFacts) -> Lookup:
    """The lookup over arrays that `build_arrays` made, wherever they are now."""
    if "offsets" in arrays:
        return Index(arrays["offsets"], arrays["values"], facts)
    return SingleIndex(arrays["single"], facts) if "single" in arrays else IdentityLookup(facts.key_count)


def build_arrays(keys: Ids, values: Ids, key_count: int, value_count: int) -> tuple[dict[str, Numbers], IndexFacts]:
    """The arrays of the smallest form in their narrowest types; within a key values are sorted and each stands once."""
    offsets, ordered = sorted_pairs(keys, values, key_count, value_count)
    mask = np.zeros(value_count, dtype=bool)
    mask[ordered] = True
    reached = int(np.count_nonzero(mask))
    facts = IndexFacts(key_count, value_count, reached == value_count, reached == len(ordered))
    lengths = np.diff(offsets)
    if len(lengths) and lengths.max() > 1:
        return {"offsets": _narrow(offsets, _UNSIGNED), "values": _narrow(ordered, _UNSIGNED)}, facts
    if len(ordered) == key_count == value_count and np.array_equal(ordered, np.arange(key_count)):
        return {}, facts
    single = np.full(key_count, NO_ROW, dtype=np.int64)
    single[lengths == 1] = ordered
    return {"single": _narrow(single, _SIGNED)}, facts


def build_index(keys: Ids, values: Ids, key_count: int) -> Index:
    """Sort values by key in linear time; the values of one key keep their order, repeats included."""
    width = int(values.max()) + 1 if len(values) else 0
    offsets, ordered = _counting_sort(keys, values, key_count, width)
    return Index(InMemory(offsets), InMemory(ordered), IndexFacts(key_count, width, False, False))


def sorted_pairs(keys: Ids, values: Ids, key_count: int, value_count: int) -> tuple[Numbers, Numbers]:
    """Offsets by key, and the values of each key sorted and each once; in linear time."""
    offsets, ordered = _counting_sort(keys, values, key_count, value_count)
    ascends = _ascends(offsets, ordered)
    if ascends.all():
        return offsets, ordered
    owners = np.full(value_count, NO_ROW, dtype=ordered.dtype)
    owners[values] = keys
    members = np.flatnonzero(owners != NO_ROW).astype(ordered.dtype, copy=False)
    if len(members) == len(values):  # no value stands twice, so its owner can be written beside it: no sort by value
        return _counting_sort(owners[members], members, key_count, value_count)
    # Sorted by value first, then by key: counting sort keeps the order it finds.
    by_value, owners = _counting_sort(values, keys, value_count, key_count)
    numbers = np.repeat(np.arange(value_count, dtype=owners.dtype), np.diff(by_value))
    offsets, ordered = _counting_sort(owners, numbers, key_count, value_count)
    ascends = _ascends(offsets, ordered)
    if ascends.all():
        return offsets, ordered
    kept = np.concatenate(([0], np.cumsum(ascends)))
    return kept[offsets], ordered[ascends]


def _ascends(offsets: Numbers, values: Numbers) -> npt.NDArray[np.bool_]:
    """For each value whether it is larger than the one before; the first of a key always is."""
    ascends = np.ones(len(values), dtype=bool)
    np.greater(values[1:], values[:-1], out=ascends[1:])
    starts = offsets[:-1]
    ascends[starts[starts < len(values)]] = True
    return ascends


def _counting_sort(keys: Numbers, values: Numbers, key_count: int, value_count: int) -> tuple[Numbers, Numbers]:
    """Counting sort. SciPy's is private and 6 to 10 times faster than NumPy's stable argsort, most so in 32 bits."""
    kind: type[np.int32 | np.int64] = np.int32 if max(key_count, value_count, len(keys)) < 2**31 else np.int64
    offsets: _CountedPairs = np.zeros(key_count + 1, dtype=kind)
    ordered: _CountedPairs = np.empty(len(values), dtype=kind)
    if len(keys):
        weight = np.zeros(len(values), dtype=np.int8)
        rows: _CountedPairs = keys.astype(kind, copy=False)
        columns: _CountedPairs = values.astype(kind, copy=False)
        _sparsetools.coo_tocsr(
            key_count, value_count, len(keys), rows, columns, weight, offsets, ordered, np.empty_like(weight)
        )
    return offsets, ordered


def _narrow(numbers: Numbers, kinds: tuple[type[np.integer], ...]) -> Numbers:
    largest = int(numbers.max()) if len(numbers) else 0
    return numbers.astype(next(kind for kind in kinds if largest <= np.iinfo(kind).max), copy=False)
