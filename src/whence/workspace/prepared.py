"""`ds.lineage.prepare(...)`: lineage made ready for zooming, filtering and drilling down."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa

from whence.lineage.codes import Codes, encode
from whence.lineage.partitioned import Partitioned
from whence.model.dataset import DatasetRecord
from whence.workspace.context import Context, checked_column, checked_rows
from whence.workspace.rows import Rows


class Prepared:
    """The rows behind each row of a dataset, sorted by attributes, with totals of every part."""

    def __init__(self, context: Context, record: DatasetRecord, target: DatasetRecord, parts: Partitioned) -> None:
        self._context = context
        self._record = record
        self._target = target
        self.parts = parts

    def rows(self, rows: Iterable[int], **where: object) -> Rows:
        """The rows behind these that have these values; nothing else is read.

        >>> rows = [("a", "x", 1), ("a", "y", 2), ("b", "x", 4)]
        >>> sales = ws.create("sales", rows, schema="k string, m string, n int")
        >>> sums = ws.sql("select k, sum(n) s from sales group by k order by k", name="sums")
        >>> ready = sums.lineage.prepare(to="sales", by=["m"], measures=["n"])
        >>> ready.rows([0], m="y").ids.tolist(), ready.totals([0, 1], by=["m"]).select(["m", "sum(n)"]).to_pylist()
        ([1], [{'m': 'x', 'sum(n)': 5}, {'m': 'y', 'sum(n)': 2}])
        """
        ids = self.parts.rids(checked_rows(self._record, rows), where)
        return Rows(self._context, self._target, ids)

    def totals(self, rows: Iterable[int], by: Sequence[str] = (), **where: object) -> pa.Table:
        """Count, sum, avg, min and max behind these rows, grouped by attributes; no row is read."""
        return self.parts.totals(checked_rows(self._record, rows), by, where)


def prepare(
    context: Context,
    record: DatasetRecord,
    target: DatasetRecord,
    by: Sequence[str],
    measures: Sequence[str],
    where: str | None,
) -> Prepared:
    """Sort the ids behind each row by attributes; `where` leaves out rows that no question will ask for."""
    outs, rids = context.trace.pairs(record, target)
    if where is not None:
        mask = np.zeros(target.rows, dtype=bool)
        mask[context.engine.rids_where(target, where)] = True
        outs, rids = outs[mask[rids]], rids[mask[rids]]
    columns = {checked_column(target, name): context.store.read(target, 0, target.rows, [name]) for name in measures}
    attributes = _attributes(context, target, by)
    totals = {name: table.column(0) for name, table in columns.items()}
    return Prepared(context, record, target, Partitioned(outs, rids, attributes, totals, record.rows))


def _attributes(context: Context, target: DatasetRecord, by: Sequence[str]) -> dict[str, Codes]:
    """Columns as they are stored; anything else is an expression for Spark."""
    found: dict[str, Codes] = {}
    asked = [name for name in by if target.schema.position(name) is None]
    computed = context.engine.computed(target, asked) if asked else None
    for name in by:
        if computed is not None and name in asked:
            found[name] = encode(computed.column(asked.index(name)))
        else:
            found[name] = encode(context.store.read(target, 0, target.rows, [name]).column(0))
    return found
