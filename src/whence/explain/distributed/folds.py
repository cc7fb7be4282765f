"""Passes over all rows whose result is a few arrays: each task adds up its rows, the driver adds up the tasks."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from whence.explain.arrays import Floats, Ints
from whence.explain.attribute import Attribute
from whence.explain.coding import numbers_of
from whence.explain.distributed.reading import RID, Reading, Rows
from whence.explain.distributed.weigh import Weigher
from whence.explain.problem import Box

Arrays = dict[str, np.ndarray[Any, Any]]


class Fold(Protocol):
    """A pass: what it computes from rows, and how two results are merged into one."""

    def of(self, rows: Rows) -> Arrays: ...

    def merge(self, one: Arrays, other: Arrays) -> Arrays: ...


def task(reading: Reading, fold: Fold) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Return the function that a Spark task runs. It yields one packed result for all its rows."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        found: Arrays | None = None
        for rows in reading.rows(batches):
            one = fold.of(rows)
            found = one if found is None else fold.merge(found, one)
        if found is not None:
            yield pa.RecordBatch.from_arrays([pa.array([_packed(found)], pa.binary())], ["part"])

    return run


def merged(fold: Fold, answers: Sequence[bytes]) -> Arrays:
    """Return the merged result of all tasks."""
    found = [_unpacked(each) for each in answers]
    whole = found[0]
    for each in found[1:]:
        whole = fold.merge(whole, each)
    return whole


def _packed(arrays: Arrays) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)  # type: ignore[arg-type]  # its stub takes names of arrays for options
    return file.getvalue()


def _unpacked(content: bytes) -> Arrays:
    with np.load(io.BytesIO(content)) as arrays:
        return {name: arrays[name] for name in arrays.files}


def _added(one: Arrays, other: Arrays) -> Arrays:
    return {name: one[name] + other[name] for name in one}


@dataclass(frozen=True)
class Survey:
    """The pass that counts the rows of every group, sums their states, and finds the real ends of every bin."""

    groups: int
    weigher: Weigher | None

    def of(self, rows: Rows) -> Arrays:
        found: Arrays = {"counts": np.bincount(rows.owner, minlength=self.groups).astype(np.float64)}
        if self.weigher is not None:
            found["states"] = _by_group(rows, self.weigher.states(rows), self.groups)
        for number, attribute in enumerate(rows.reading.attributes):
            found[f"bins{number}"] = np.bincount(rows.codes[number], minlength=attribute.width)
            if attribute.is_ordered:
                found |= _ends(number, attribute, rows)
        return found

    def merge(self, one: Arrays, other: Arrays) -> Arrays:
        # Adds the ends of bins as well, which the loop below then replaces.
        found = _added(one, other)
        for name in one:
            if name.startswith("low"):
                found[name] = np.fmin(one[name], other[name])
            elif name.startswith("high"):
                found[name] = np.fmax(one[name], other[name])
        return found


def _ends(number: int, attribute: Attribute, rows: Rows) -> Arrays:
    values = numbers_of(attribute, rows.raw(number))
    low, high = np.full(attribute.width, np.nan), np.full(attribute.width, np.nan)
    np.fmin.at(low, rows.codes[number], values)
    np.fmax.at(high, rows.codes[number], values)
    # NaN differs from itself, so NULLs are counted among the broken numbers and subtracted again.
    broken = np.array([np.nansum(values != np.floor(values)) - np.isnan(values).sum()])
    return {f"low{number}": low, f"high{number}": high, f"broken{number}": broken}


def surveyed(attributes: Sequence[Attribute], found: Arrays) -> tuple[Attribute, ...]:
    """Return the attributes with the ends of bins, NULLs and wholeness of all rows instead of the sample's."""
    exact = []
    for number, attribute in enumerate(attributes):
        if not attribute.is_ordered:
            exact.append(attribute)
            continue
        bins = found[f"bins{number}"]
        exact.append(
            replace(
                attribute,
                lows=found[f"low{number}"][: attribute.size],
                highs=found[f"high{number}"][: attribute.size],
                is_whole=attribute.scale == "number" and not found[f"broken{number}"][0],
                has_nulls=bool(bins[attribute.size] > 0),
            )
        )
    return tuple(exact)


@dataclass(frozen=True)
class Sums:
    """The pass that sums, for every predicate, the removed rows and the states of the rows that stay.

    "gone" has counts and squares of falls, "kept" has states, both predicate by group. "kept" is summed anew, because a
    difference of sums may be rounding error alone.
    """

    groups: int
    weigher: Weigher
    boxes: tuple[Box, ...]

    def of(self, rows: Rows) -> Arrays:
        weights = self.weigher.weights(rows)
        gone, kept = [], []
        for box in self.boxes:
            mask = rows.mask(box)
            gone.append(self._sums(rows, weights[:, :2], np.flatnonzero(mask)))
            kept.append(self._sums(rows, weights[:, 2:], np.flatnonzero(~mask)))
        return {"gone": np.stack(gone), "kept": np.stack(kept)}

    def merge(self, one: Arrays, other: Arrays) -> Arrays:
        return _added(one, other)

    def _sums(self, rows: Rows, weights: Floats, chosen: Ints) -> Floats:
        owner = rows.owner[chosen]
        return np.column_stack([np.bincount(owner, line[chosen], minlength=self.groups) for line in weights.T])


@dataclass(frozen=True)
class BinSums:
    """The pass that sums the weights of every bin of an attribute under a predicate.

    There is one array, group by bin by weight, for each (predicate, attribute) pair.
    """

    groups: int
    weigher: Weigher
    pairs: tuple[tuple[Box, int], ...]

    def of(self, rows: Rows) -> Arrays:
        weights = self.weigher.weights(rows)
        found: Arrays = {}
        for place, (box, number) in enumerate(self.pairs):
            chosen = np.flatnonzero(rows.mask(box))
            width = rows.reading.attributes[number].width
            keys = rows.owner[chosen] * width + rows.codes[number][chosen]
            lines = [np.bincount(keys, line[chosen], minlength=self.groups * width) for line in weights.T]
            found[str(place)] = np.stack(lines, axis=-1).reshape(self.groups, width, -1)
        return found

    def merge(self, one: Arrays, other: Arrays) -> Arrays:
        return _added(one, other)


@dataclass(frozen=True)
class Members:
    """The pass that collects the ids of the rows behind the outliers that a predicate takes."""

    outliers: int
    box: Box

    def of(self, rows: Rows) -> Arrays:
        chosen = rows.mask(self.box) & (rows.owner < self.outliers)
        return {"rids": np.unique(rows.table.column(RID).to_numpy()[chosen])}

    def merge(self, one: Arrays, other: Arrays) -> Arrays:
        return {"rids": np.union1d(one["rids"], other["rids"])}


def _by_group(rows: Rows, weights: Floats, groups: int) -> Floats:
    return np.column_stack([np.bincount(rows.owner, line, minlength=groups) for line in weights.T])
