"""Notes on the shape of a result, with numbers: joins that repeat or lose rows, filters that leave nothing."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.lineage.block import Ids
from whence.lineage.document import LineageDocument
from whence.lineage.edges import Edges
from whence.model.dataset import DatasetRecord
from whence.model.plural import counted
from whence.store.forgotten import ForgottenRecord
from whence.store.store import Store

_MOST_DERIVATIONS = 5_000_000
"""Over more, notes would cost more than they tell."""
_MOST_VALUES = 3
"""A note names this many values."""


class ShapeNotes:
    """Counts what a query did to the rows of its inputs, by their lineage."""

    def __init__(self, store: Store, edges: Edges) -> None:
        self._store = store
        self._edges = edges

    def of(self, record: DatasetRecord) -> list[str]:
        """Return the notes on a dataset, a sentence each; most have none."""
        document = self._edges.document(record)
        if document is None:
            return []
        notes = list(_chosen_by_chance(record, document))
        sources = [self._edges.record(each) for each in self._edges.sources(record)]
        is_known = document.is_exact and not any(isinstance(each, ForgottenRecord) for each in sources)
        if is_known and document.derivations <= _MOST_DERIVATIONS:
            notes += self._emptied(record, document) or self._counted(record, document)
        return notes

    def _emptied(self, record: DatasetRecord, document: LineageDocument) -> list[str]:
        """The note on a result that no input row is left in."""
        sources = [self._edges.record(each) for each in dict.fromkeys(self._edges.sources(record))]
        shape = document.shape
        is_empty = record.rows == 0 or (document.is_global and not any(map(len, self._uses(record, document))))
        if not is_empty or not (shape.has_filter or shape.joined) or not all(each.rows for each in sources):
            return []
        causes = {(True, False): "The filter removed every row", (False, True): "The join found no match"}
        cause = causes.get((shape.has_filter, bool(shape.joined)), "The conditions of the query removed every row")
        return [f"{cause}: nothing is left of {' and '.join(_rows_of(each) for each in sources)}."]

    def _counted(self, record: DatasetRecord, document: LineageDocument) -> list[str]:
        shape = document.shape
        counts = {each: self._count_uses(record, document, each) for each in shape.joined}
        repeated = [n for n in (shape.summed if shape.is_grouped else shape.joined[:1]) if counts[n].max(initial=0) > 1]
        return [
            *(_repeated(self._source(document, n), counts[n], is_summed=shape.is_grouped) for n in repeated),
            *(_dropped_by_join(self._source(document, n), counts[n]) for n in shape.must_match if not counts[n].all()),
            *self._vanished(record, document),
        ]

    def _vanished(self, record: DatasetRecord, document: LineageDocument) -> Iterator[str]:
        for name, number, column in document.shape.keys:
            source = self._source(document, number)
            if source.rows > _MOST_DERIVATIONS:
                continue
            before = self._distinct(source, column)
            left = set(self._distinct(record, name))
            gone = [each for each in before if each not in left]
            if gone:
                others = len(gone) - _MOST_VALUES
                shown = ", ".join(map(str, gone[:_MOST_VALUES])) + (f" and {others:,} more" if others > 0 else "")
                yield f"{len(gone)} of {len(before)} groups vanished: no row is left with {column} = {shown}."

    def _distinct(self, record: DatasetRecord, column: str) -> list[object]:
        values = pc.drop_null(pc.unique(self._store.read(record, 0, record.rows, [column]).column(0)))
        return sorted(values.to_pylist(), key=str if pa.types.is_nested(values.type) else None)

    def _uses(self, record: DatasetRecord, document: LineageDocument) -> list[Ids]:
        leaves = range(len(self._edges.sources(record)))
        return [self._edges.block(record).pairs(each)[1] for each in leaves if each not in document.pruned_sources]

    def _count_uses(self, record: DatasetRecord, document: LineageDocument, source: int) -> Ids:
        """For each row of a source, how many times it was used."""
        rows = self._source(document, source).rows
        if source in document.pruned_sources:
            return np.ones(rows, dtype=np.int64)
        return np.bincount(self._edges.block(record).pairs(source)[1], minlength=rows)

    def _source(self, document: LineageDocument, number: int) -> DatasetRecord:
        return self._edges.record(document.sources[number])


def _chosen_by_chance(record: DatasetRecord, document: LineageDocument) -> Iterator[str]:
    shape = document.shape
    cuts_nothing = shape.limits_result and record.rows < (shape.unordered_limit or 0)
    if shape.unordered_limit is not None and not cuts_nothing:
        yield f"LIMIT {shape.unordered_limit} without ORDER BY: which rows come out is left to chance."


def _repeated(source: DatasetRecord, counts: Ids, *, is_summed: bool) -> str:
    used = counts[counts > 0]
    least, most = int(used.min()), int(used.max())
    many = f"each of {_rows_of(source, len(used))}" if least > 1 else f"{_rows_of(source, int((used > 1).sum()))}"
    times = f"{most:,}" if least == most else f"{max(least, 2):,} to {most:,}" if most > 2 else "2"
    if is_summed:
        verb = "counts" if least > 1 else "count"
        return f"The join repeated rows before they were summed: {many} {verb} {times} times."
    return f"The join multiplied rows: {many} found {times} matches."


def _dropped_by_join(source: DatasetRecord, counts: Ids) -> str:
    lost = int((counts == 0).sum())
    return f"The inner join dropped {lost:,} of {_rows_of(source)}: they found no match."


def _rows_of(record: DatasetRecord, count: int | None = None) -> str:
    return f"{counted(record.rows if count is None else count, 'row')} of {record.name}"
