"""How a Spark task reads rows: from batches of raw columns to the group, measures and bins of every row."""

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
"""Column with the number of the row's group."""
RID = "rid"
"""Column with the row id in the aggregate's input."""

_ROWS = 1 << 18
"""Rows processed at once: enough for NumPy, little for memory."""


@dataclass(frozen=True)
class Reading:
    """Which frame column holds what. The driver builds it, and tasks use it."""

    formula: Formula | None
    """The formula of the aggregate, or None if the aggregate is the user's own function."""
    measures: Mapping[tuple[int, str], str]
    """The frame column of each (source, column) that the aggregate reads."""
    attributes: tuple[Attribute, ...]
    columns: tuple[str, ...]
    """The frame column of each attribute."""
    owners: str | None
    """Path of the file with the group of every row id (-1: none). If None, the frame has a group column."""
    zone: str

    def rows(self, batches: Iterator[pa.RecordBatch]) -> Iterator[Rows]:
        """Yield the rows that belong to a marked value, many at a time."""
        waiting: list[pa.RecordBatch] = []
        for batch in batches:
            waiting.append(batch)
            if sum(each.num_rows for each in waiting) >= _ROWS:
                yield self.of_table(pa.Table.from_batches(waiting))
                waiting = []
        if waiting:
            yield self.of_table(pa.Table.from_batches(waiting))

    def of_table(self, table: pa.Table) -> Rows:
        """Return the rows of a table that belong to a marked value."""
        if self.owners is None:
            return Rows(self, table.column(OWNER).to_numpy().astype(np.int64), table)
        owner = _owners(self.owners)[table.column(RID).to_numpy()].astype(np.int64)
        kept = owner >= 0
        return Rows(self, owner, table) if kept.all() else Rows(self, owner[kept], table.filter(pa.array(kept)))


@dataclass(frozen=True)
class Rows:
    """Some rows: their groups, and their measures and bins, computed when they are first read."""

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
        """Return the values of an attribute's column."""
        return in_zone(self._column(self.reading.columns[number]), self.reading.zone)

    def mask(self, box: Box) -> Bools:
        """Return which rows a predicate takes."""
        met = np.ones(len(self.owner), dtype=np.bool_)
        for number, clause in box:
            met &= self.reading.attributes[number].allowed(clause)[self.codes[number]]
        return met

    def _read(self, source: int, column: str) -> pa.Array:
        return self._column(self.reading.measures[source, column])

    def _column(self, name: str) -> pa.Array:
        column = self.table.column(name).combine_chunks()
        return pa.concat_arrays(column.chunks) if isinstance(column, pa.ChunkedArray) else column


# A Python worker runs many tasks over the same file: map it into memory once.
@lru_cache(maxsize=4)
def _owners(path: str) -> Ints:
    found: Ints = np.load(path, mmap_mode="r")
    return found
