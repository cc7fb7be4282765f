"""What a dataset would hold if some rows of an input were not there."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.lineage.block import NO_ROW, Ids
from whence.lineage.document import LineageDocument
from whence.lineage.edges import Edges
from whence.lineage.refresh import DeletedRows, Refresh
from whence.lineage.rerun import Rerun
from whence.lineage.selection import Selection
from whence.lineage.totals import finish, totals
from whence.model.dataset import DatasetRecord
from whence.model.errors import NotRelated, NotSupported
from whence.plan.locality import is_local
from whence.plan.measures import KEY, Measure
from whence.store.store import Store

Method = Literal["arithmetic", "run again", "all run again"]


@dataclass(frozen=True)
class Outcome:
    """The rows that lose something: which they are, what they hold, and what those that stay would hold."""

    rows: Ids
    before: pa.Table
    kept: Ids
    """For each row of `after` which of `rows` it is; -1 for one that is new."""
    after: pa.Table
    how: Method

    @property
    def gone(self) -> Ids:
        """Rows that would not be there."""
        return np.setdiff1d(self.rows, self.kept, assume_unique=True)


class WhatIf:
    """Answers what a dataset would hold without some input rows; nothing is deleted."""

    def __init__(self, store: Store, edges: Edges, rerun: Rerun) -> None:
        self._store = store
        self._edges = edges
        self._rerun = rerun
        self._refresh = Refresh(store, edges, rerun)

    def without(self, record: DatasetRecord, target: DatasetRecord, deleted: Selection) -> Outcome:
        """What the rows made from the deleted rows of a direct input would hold."""
        document = self._edges.document(record)
        numbers = [number for number, each in enumerate(self._edges.sources(record)) if each == target.id]
        if document is None or not numbers:
            raise NotRelated(f"{record.label} was not made directly from {target.label}.", "Ask one step at a time.")
        if not document.is_exact:
            raise NotSupported(f"The lineage of {record.label} is coarse, so what would change is unknown.")
        affected = Selection.nothing(record.rows)
        for number in numbers:
            affected |= self._edges.select(record, number, deleted, backward=False)
        before = self._store.take(record, affected.ids)
        left_out = dict.fromkeys(numbers, deleted)
        if document.measures is not None and not document.has_maps:
            return self._by_arithmetic(record, document, affected, before, left_out)
        if not is_local(self._rerun.query(record)[1], numbers):
            return self._compare_everything(record, left_out)
        kept, after = self._refresh.rows(record, affected, left_out)
        return Outcome(affected.ids, before, kept, after, "run again")

    def _compare_everything(self, record: DatasetRecord, deleted: DeletedRows) -> Outcome:
        """Run the whole query without the deleted rows and compare: rows may change that were not made from them."""
        again = self._refresh.rerun_all(record, deleted)
        stored = self._store.read(record, 0, record.rows)
        old, new = _texts(stored), _texts(again.table)
        shared = Counter(old) & Counter(new)
        lost, found = _surplus_places(old, shared), _surplus_places(new, shared)
        known = self._refresh.old_rows(record, again, found)
        kept = np.array([known[each] if known.get(each) in set(lost) else NO_ROW for each in found], dtype=np.int64)
        rows = np.array(lost, dtype=np.int64)
        return Outcome(
            rows, stored.take(rows), kept, again.table.take(np.array(found, dtype=np.int64)), "all run again"
        )

    def _by_arithmetic(
        self,
        record: DatasetRecord,
        document: LineageDocument,
        affected: Selection,
        before: pa.Table,
        deleted: DeletedRows,
    ) -> Outcome:
        """Every derivation is one row of a group: those without a deleted row are counted and added up again."""
        (part,) = self._edges.block(record).parts
        out = part.out_ids(record.rows)
        stays = affected.mask[out]
        for number, gone in deleted.items():
            ids = part.sources[number]
            stays &= ~(gone.mask[np.maximum(ids, 0)] & (ids != NO_ROW))
        groups = np.searchsorted(affected.ids, out[stays])
        counts = np.bincount(groups, minlength=affected.count)
        kept = np.ones(affected.count, dtype=bool) if document.is_global else counts > 0
        sources = {number: ids[stays] for number, ids in part.sources.items()}
        columns = {}
        for name in record.schema.names:
            measure = (document.measures or {})[name]
            column = before.column(name)
            if measure.function != KEY:
                column = self._measure_groups(
                    document, measure, groups, sources=sources, size=affected.count, kind=column.type
                )
            columns[name] = column.filter(pa.array(kept))
        return Outcome(affected.ids, before, affected.ids[kept], pa.table(columns), "arithmetic")

    def _measure_groups(
        self,
        document: LineageDocument,
        measure: Measure,
        groups: Ids,
        sources: dict[int, Ids],
        size: int,
        kind: pa.DataType,
    ) -> pa.Array:
        if not measure.column:
            return pa.array(np.bincount(groups, minlength=size)).cast(kind)
        owner = self._edges.record(document.sources[measure.source])
        rids, places = np.unique(sources[measure.source], return_inverse=True)
        stored = self._store.take(owner, rids, [measure.column]).column(0)
        there = stored.is_valid().to_numpy()[places]
        numbers = _numbers(stored)[places]
        values, has_value = finish(measure.function, totals(groups[there], numbers[there], size))
        return pa.array(values, mask=~has_value).cast(kind)


def _texts(table: pa.Table) -> list[str]:
    """Each row as text: values of any type compare, and NaN equals NaN."""
    return [repr(row) for row in zip(*(column.to_pylist() for column in table.columns), strict=True)]


def _surplus_places(rows: list[str], shared: Counter[str]) -> list[int]:
    """The places of the rows that are more than the shared ones."""
    left, found = Counter(shared), []
    for place, row in enumerate(rows):
        if left[row]:
            left[row] -= 1
        else:
            found.append(place)
    return found


def _numbers(column: pa.ChunkedArray) -> npt.NDArray[np.int64] | npt.NDArray[np.float64]:
    """The values as integers or floats, a NULL as zero; what is no number is zero: only that it is there counts."""
    if pa.types.is_integer(column.type):
        integers: npt.NDArray[np.int64] = column.fill_null(0).to_numpy().astype(np.int64)
        return integers
    if pa.types.is_floating(column.type):
        floats: npt.NDArray[np.float64] = column.fill_null(0.0).to_numpy().astype(np.float64)
        return floats
    return np.zeros(len(column), dtype=np.int64)
