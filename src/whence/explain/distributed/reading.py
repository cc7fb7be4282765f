"""How a task of Spark reads rows: from batches of raw columns to the group, the measures and the bins of every row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import pyarrow as pa

from whence.explain.arrays import Bools, Columns, Ints
from whence.explain.attribute import Attribute
from whence.explain.coding import codes_of, floats, in_zone
from whence.explain.problem import Box
from whence.explain.read_formula import read_formula
from whence.plan.formula import Formula

OWNER = "owner"
RID = "rid"

_ROWS = 1 << 18
"""Rows worked on at once: enough for NumPy, little for memory."""


@dataclass(frozen=True)
class Reading:
    """Which column of the frame is what; made on the driver, used in tasks."""

    formula: Formula | None
    """None where the aggregate is the user's own."""
    measures: Mapping[tuple[int, str], str]
    """The columns that the aggregate reads."""
    attributes: tuple[Attribute, ...]
    columns: tuple[str, ...]
    """Where each attribute is read."""
    owners: str | None
    """The file that has the group of every row by number, -1 for none; else the frame has the group."""
    zone: str

    def rows(self, batches: Iterator[pa.RecordBatch]) -> Iterator[Rows]:
        """The rows that belong to a marked value, many at a time."""
        waiting: list[pa.RecordBatch] = []
        for batch in batches:
            waiting.append(batch)
            if sum(each.num_rows for each in waiting) >= _ROWS:
                yield self.of_table(pa.Table.from_batches(waiting))
                waiting = []
        if waiting:
            yield self.of_table(pa.Table.from_batches(waiting))

    def of_table(self, table: pa.Table) -> Rows:
        """The rows of a table."""
        if self.owners is None:
            return Rows(self, table.column(OWNER).to_numpy().astype(np.int64), table)
        owner = _owners(self.owners)[table.column(RID).to_numpy()].astype(np.int64)
        kept = owner >= 0
        return Rows(self, owner, table) if kept.all() else Rows(self, owner[kept], table.filter(pa.array(kept)))


@dataclass(frozen=True)
class Rows:
    """Some rows: their groups, and what is read of them when it is asked for."""

    reading: Reading
    owner: Ints
    table: pa.Table

    @cached_property
    def columns(self) -> Columns:
        """The measures."""
        reading = self.reading
        if reading.formula is None:
            return tuple(floats(self._column(name)) for name in reading.measures.values())
        return read_formula(reading.formula, self._read, len(self.owner))[1]

    @cached_property
    def codes(self) -> list[Ints]:
        """The bins of every attribute."""
        reading = self.reading
        named = zip(reading.attributes, reading.columns, strict=True)
        return [codes_of(each, in_zone(self._column(name), reading.zone)) for each, name in named]

    def raw(self, number: int) -> pa.Array:
        """The column of an attribute."""
        return in_zone(self._column(self.reading.columns[number]), self.reading.zone)

    def mask(self, box: Box) -> Bools:
        """Which rows a predicate takes."""
        met = np.ones(len(self.owner), dtype=np.bool_)
        for number, clause in box:
            met &= self.reading.attributes[number].allowed(clause)[self.codes[number]]
        return met

    def _read(self, source: int, column: str) -> pa.Array:
        return self._column(self.reading.measures[source, column])

    def _column(self, name: str) -> pa.Array:
        column = self.table.column(name).combine_chunks()
        return pa.concat_arrays(column.chunks) if isinstance(column, pa.ChunkedArray) else column


@lru_cache(maxsize=4)
def _owners(path: str) -> Ints:
    found: Ints = np.load(path, mmap_mode="r")
    return found
