"""Lineage prepared for questions that are expected: ids of a group sorted by attributes, and totals of every part.

After Smoke, Section 4.2: a question with a value for each attribute reads just the ids it needs (data skipping); one
that groups by attributes reads totals (group-by push-down).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from whence.lineage.block import Ids
from whence.lineage.codes import Codes
from whence.lineage.index import Index, build_index
from whence.model.errors import BadInput

Numbers = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

COUNT = "count"


@dataclass(frozen=True)
class PartTotals:
    """Totals of one column in every part: how many values, their sum, the least and the largest."""

    counts: Ids
    sums: npt.NDArray[np.generic]
    least: npt.NDArray[np.generic]
    largest: npt.NDArray[np.generic]
    scale: int = 0
    """Digits after the point of decimals, which are added up as whole numbers."""

    def to_values(self, numbers: npt.NDArray[np.generic], empty: Mask) -> pa.Array:
        """Totals as values of the column."""
        if not self.scale:
            return pa.array(numbers, mask=empty)
        exact = [None if gone else Decimal(int(n)).scaleb(-self.scale) for n, gone in zip(numbers, empty, strict=True)]
        return pa.array(exact, pa.decimal128(38, self.scale))


class PartitionedLineage:
    """Every (output row, values of the attributes) that occurs is a part: its ids, and the totals of its measures.

    `attributes` say which values there are; what each row of the target has is only needed to make the parts.
    `coordinates` hold for each part its output row, then its place among the values of each attribute.
    """

    def __init__(
        self,
        attributes: Mapping[str, pa.Array],
        coordinates: npt.NDArray[np.int64],
        index: Index,
        measures: Mapping[str, PartTotals],
    ) -> None:
        self.attributes = {name: Codes(np.empty(0, dtype=np.int64), values) for name, values in attributes.items()}
        self.coordinates = coordinates
        self.index = index
        self.counts = index.lengths(np.arange(coordinates.shape[1]))
        self.measures = dict(measures)

    @classmethod
    def of(
        cls, outs: Ids, rids: Ids, attributes: Mapping[str, Codes], measures: Mapping[str, pa.ChunkedArray], rows: int
    ) -> PartitionedLineage:
        """The parts of these pairs of output row and row behind it."""
        sizes = [rows, *(codes.count for codes in attributes.values())]
        labels = outs.copy()
        for codes in attributes.values():
            labels = labels * codes.count + codes.numbers[rids]
        parts, owners = _dense(labels, int(np.prod(sizes, dtype=np.int64)))
        return cls(
            {name: codes.values for name, codes in attributes.items()},
            np.array(np.unravel_index(parts, sizes), dtype=np.int64),
            build_index(owners, rids, len(parts)),
            {name: _part_totals(column, owners, rids, len(parts)) for name, column in measures.items()},
        )

    def with_measures(self, columns: Mapping[str, pa.ChunkedArray]) -> PartitionedLineage:
        """The same parts with totals of these columns."""
        parts = len(self.counts)
        owners, rids = np.repeat(np.arange(parts), self.counts), self.index.every_value().astype(np.int64)
        values = {name: codes.values for name, codes in self.attributes.items()}
        totals = {name: _part_totals(column, owners, rids, parts) for name, column in columns.items()}
        return PartitionedLineage(values, self.coordinates, self.index, totals)

    @property
    def bytes(self) -> int:
        """About what it holds in memory."""
        totals = sum(m.sums.nbytes * 3 + m.counts.nbytes for m in self.measures.values())
        return int(self.counts.sum()) * 4 + self.coordinates.nbytes + totals

    def rids(self, rows: Ids, where: Mapping[str, object]) -> Ids:
        """The ids behind these output rows that have these values, sorted."""
        return np.sort(self.index.of(np.flatnonzero(self._chosen_parts(rows, where))))

    def count(self, rows: Ids, where: Mapping[str, object]) -> int:
        """How many there are, without reading any."""
        return int(self.counts[self._chosen_parts(rows, where)].sum())

    def totals(self, rows: Ids, by: Sequence[str], where: Mapping[str, object]) -> pa.Table:
        """For each combination of values of `by` the count, and sum, avg, min and max of every measure."""
        for name in by:
            self._place(name)
        parts = np.flatnonzero(self._chosen_parts(rows, where))
        labels = np.zeros(len(parts), dtype=np.int64)
        for name in by:
            labels = labels * self.attributes[name].count + self._coordinate(name)[parts]
        kinds, first, owners = np.unique(labels, return_index=True, return_inverse=True)
        columns = {
            name: self.attributes[name].values.take(pa.array(self._coordinate(name)[parts[first]])) for name in by
        }
        columns[COUNT] = pa.array(np.bincount(owners, self.counts[parts], len(kinds)).astype(np.int64))
        for name, measure in self.measures.items():
            columns |= _gather_totals(name, measure, parts, owners, len(kinds))
        return pa.table(columns)

    def _coordinate(self, name: str) -> Ids:
        along: Ids = self.coordinates[self._place(name)]
        return along

    def _place(self, name: str) -> int:
        names = list(self.attributes)
        if name not in names:
            raise BadInput(f"The lineage was not prepared by {name}.", f"It was prepared by {', '.join(names)}.")
        return names.index(name) + 1

    def _chosen_parts(self, rows: Ids, where: Mapping[str, object]) -> Mask:
        chosen = np.isin(self.coordinates[0], rows)
        for name, value in where.items():
            place = self.attributes[name].place(value) if name in self.attributes else self._place(name)
            chosen &= False if place is None else self._coordinate(name) == place
        return chosen


def _dense(labels: Ids, total: int) -> tuple[Ids, Ids]:
    """The labels that occur, and the place of each among them; by counting where there are few."""
    if total > max(len(labels), 1 << 16) * 4:
        found, owners = np.unique(labels, return_inverse=True)
        return found, owners.astype(np.int64)
    found = np.flatnonzero(np.bincount(labels, minlength=total))
    places = np.zeros(total, dtype=np.int64)
    places[found] = np.arange(len(found))
    return found, places[labels]


def _part_totals(column: pa.ChunkedArray, owners: Ids, rids: Ids, parts: int) -> PartTotals:
    array, scale = _numeric(column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column)
    is_whole = pa.types.is_integer(array.type)
    there = array.is_valid().to_numpy(zero_copy_only=False)[rids]
    values = array.fill_null(0).to_numpy(zero_copy_only=False)[rids][there]
    mine = owners[there]
    order = np.argsort(mine, kind="stable")
    counts = np.bincount(mine, minlength=parts)
    starts = np.cumsum(counts) - counts
    kind = np.int64 if is_whole else np.float64
    sums, least, largest = (np.zeros(parts, dtype=kind) for _ in range(3))
    filled = counts > 0
    if filled.any():
        ordered = values[order].astype(kind, copy=False)
        sums[filled] = np.add.reduceat(ordered, starts[filled])
        least[filled] = np.minimum.reduceat(ordered, starts[filled])
        largest[filled] = np.maximum.reduceat(ordered, starts[filled])
    return PartTotals(counts, sums, least, largest, scale)


def _numeric(array: pa.Array) -> tuple[pa.Array, int]:
    """Decimals as whole numbers, if they fit; any other number as it is."""
    if not pa.types.is_decimal(array.type):
        return array, 0
    scale = array.type.scale
    if array.type.precision + scale > 38 or array.type.precision > 18:
        return array.cast(pa.float64()), 0
    return pc.multiply(array, pa.scalar(Decimal(10**scale))).cast(pa.int64()), scale


def _gather_totals(name: str, measure: PartTotals, parts: Ids, owners: Ids, kinds: int) -> dict[str, pa.Array]:
    counts = np.bincount(owners, measure.counts[parts], kinds).astype(np.int64)
    sums = np.zeros(kinds, dtype=measure.sums.dtype)
    np.add.at(sums, owners, measure.sums[parts])
    has_any = measure.counts[parts] > 0
    limits = {}
    for word, totals, reduce in (("min", measure.least, np.minimum), ("max", measure.largest, np.maximum)):
        order = np.argsort(owners[has_any], kind="stable")
        values, mine = totals[parts[has_any]][order], owners[has_any][order]
        found = np.zeros(kinds, dtype=totals.dtype)
        if len(values):
            starts = np.flatnonzero(np.concatenate([[True], mine[1:] != mine[:-1]]))
            found[mine[starts]] = reduce.reduceat(values, starts)
        limits[f"{word}({name})"] = measure.to_values(found, counts == 0)
    empty = counts == 0
    mean = np.divide(sums, counts, out=np.zeros(kinds), where=~empty) / 10**measure.scale
    return {
        f"sum({name})": measure.to_values(sums, empty),
        f"avg({name})": pa.array(mean, mask=empty),
        **limits,
    }
