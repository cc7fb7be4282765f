"""`ds.lineage.prepare(...)`: lineage sorted by attributes, for fast filters, totals and drill-down."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from whence.lineage.partitioned_lineage import PartitionedLineage
from whence.lineage.prepared_files import ExpectedQuestion
from whence.model.dataset import DatasetRecord
from whence.workspace.checked import RowIds, checked_column, checked_rows
from whence.workspace.context import Context
from whence.workspace.rows import Rows


class Prepared:
    """The rows behind each row of a dataset, partitioned by attributes, with the totals of every partition."""

    def __init__(
        self, context: Context, record: DatasetRecord, expected: ExpectedQuestion, parts: PartitionedLineage
    ) -> None:
        self._context = context
        self._record = record
        self._expected = expected
        self._target = context.store.by_id(expected.target)
        self.parts = parts

    @property
    def by(self) -> tuple[str, ...]:
        """The attributes it was prepared by."""
        return self._expected.by

    @property
    def measures(self) -> tuple[str, ...]:
        """The columns that it has totals of."""
        return self._expected.measures

    @property
    def stored(self) -> int:
        """The size of its file in bytes; 0 if it has none and ends with this session."""
        return self._context.writers.preparing.files.bytes(self._record, self._expected)

    def drop(self) -> None:
        """Delete its file. This handle goes on answering from memory."""
        self._context.writers.preparing.files.drop(self._record, self._expected)

    def rows(self, rows: RowIds, **where: object) -> Rows:
        """Return the rows behind these rows whose attributes have the given values. No other row is read.

        >>> rows = [("a", "x", 1), ("a", "y", 2), ("b", "x", 4)]
        >>> sales = ws.create("sales", rows, schema="k string, m string, n int")
        >>> sums = ws.sql("select k, sum(n) s from sales group by k order by k", name="sums")
        >>> ready = sums.lineage.prepare(to="sales", by=["m"], measures=["n"])
        >>> ready.rows([0], m="y").ids.tolist(), ready.totals([0, 1], by=["m"]).select(["m", "sum(n)"]).to_pylist()
        ([1], [{'m': 'x', 'sum(n)': 5}, {'m': 'y', 'sum(n)': 2}])
        """
        ids = self.parts.rids(checked_rows(self._record, rows), where)
        self._context.background.planner.workload.see_expected(self._record, self._expected, "filter")
        return Rows(self._context, self._target, ids)

    def totals(self, rows: RowIds, by: Sequence[str] = (), **where: object) -> pa.Table:
        """Return count, sum, avg, min and max behind these rows, grouped by attributes. No row is read."""
        found = self.parts.totals(checked_rows(self._record, rows), by, where)
        self._context.background.planner.workload.see_expected(self._record, self._expected, "totals")
        return found

    def __repr__(self) -> str:
        added = f", totals of {', '.join(self.measures)}" if self.measures else ""
        return f"<rows of {self._target.label} behind {self._record.label} by {', '.join(self.by)}{added}>"


def prepare(
    context: Context,
    record: DatasetRecord,
    target: DatasetRecord,
    by: Sequence[str],
    measures: Sequence[str],
    where: str | None,
) -> Prepared:
    """Return prepared lineage, stored or made now. Under a budget the planner decides whether to store it."""
    columns = [checked_column(target, name) for name in measures]
    expected = context.writers.preparing.question_for(target, by, columns, where)
    parts = context.writers.preparing.parts(record, expected, keep=context.background.planner.budget is None)
    return Prepared(context, record, expected, parts)


def every_prepared(context: Context, record: DatasetRecord) -> list[Prepared]:
    """Return everything that was prepared and stored for a dataset, in any session."""
    found = []
    for expected in context.writers.preparing.files.questions_of(record):
        parts = context.writers.preparing.files.read(record, expected)
        if parts is not None:
            found.append(Prepared(context, record, expected, parts))
    return found
