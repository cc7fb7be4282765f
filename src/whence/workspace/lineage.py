"""`ds.lineage`: where rows and cells came from, and where they went."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from whence.lineage.selection import Selection
from whence.model.cellref import CellRef
from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.model.ids import DatasetId
from whence.workspace.context import Context, checked_column, checked_row, checked_rows
from whence.workspace.rows import Rows

RowsLike = Iterable[int] | Rows


class DatasetLineage:
    """Lineage questions about one dataset version."""

    def __init__(self, context: Context, record: DatasetRecord) -> None:
        self._context = context
        self._record = record

    def backward(
        self, rows: RowsLike | None = None, to: object = None, *, where: str | None = None, path: Sequence[str] = ()
    ) -> Rows:
        """The rows of `to` that these rows were made from, however many steps back.

        >>> orders = ws.create("orders", [("a", 1), ("b", 2), ("a", 3)], schema="k string, x int")
        >>> totals = ws.sql("select k, sum(x) s from orders group by k order by k", name="totals")
        >>> totals.lineage.backward([0], to="orders").ids.tolist()
        [0, 2]
        """
        target, chosen = self._ancestor(to), self._chosen(rows, where)
        return Rows(self._context, target, self._context.trace.backward(self._record, chosen, target, path))

    def forward(
        self, rows: RowsLike | None = None, to: object = None, *, where: str | None = None, path: Sequence[str] = ()
    ) -> Rows:
        """The rows of `to` that were made from these rows.

        >>> numbers = ws.create("numbers", [(1,), (2,), (3,)], schema="x int")
        >>> large = ws.sql("select x from numbers where x > 1", name="large")
        >>> numbers.lineage.forward([0, 2], to="large").to_arrow().to_pylist()
        [{'x': 3}]
        """
        target, chosen = self._descendant(to), self._chosen(rows, where)
        return Rows(self._context, target, self._context.trace.forward(self._record, chosen, target, path))

    def pairs(self, to: object = None) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """All of it at once: (row, row of `to`), each pair once, sorted."""
        return self._context.trace.pairs(self._record, self._ancestor(to))

    def cell(self, row: int, column: str, to: object = None) -> list[CellRef]:
        """The input cells behind one cell, with the role each played; `to="sources"` goes back to what was loaded.

        >>> pairs = ws.create("pairs", [("a", 1), ("a", 2)], schema="k string, x int")
        >>> summed = ws.sql("select k, sum(x) s from pairs group by k", name="summed")
        >>> [(ref.row, ref.column, ref.role, ref.value) for ref in summed.lineage.cell(0, "s")][:2]
        [(0, 'x', 'aggregated', 1), (1, 'x', 'aggregated', 2)]
        """
        row, column = checked_row(self._record, row), checked_column(self._record, column)
        cells = self._context.cells
        if to is None:
            found = cells.inputs(self._record, row, column)
        else:
            found = cells.at(self._record, row, column, self._targets(to))
        return cells.with_values(found)

    def wait(self) -> None:
        """Return when the lineage of this dataset is captured; what was left for later is done now."""
        self._context.captures.finish(self._record)

    @property
    def exact(self) -> bool:
        """False where only coarse lineage is known."""
        document = self._context.edges.document(self._record)
        return document is None or document.is_exact

    @property
    def strategy(self) -> str:
        """How lineage was captured, and why so."""
        document = self._context.edges.document(self._record)
        return "source: this dataset was loaded or created." if document is None else document.strategy

    def _chosen(self, rows: RowsLike | None, where: str | None) -> Selection:
        if (rows is None) == (where is None):
            raise UserError("Say which rows, either as ids or with where=.", "For example: backward([0, 5], to=...)")
        if where is not None:
            ids = np.array(self._context.engine.rids_where(self._record, where), dtype=np.int64)
            return Selection.of_sorted(ids, self._record.rows)
        if isinstance(rows, Rows):
            return self._same_dataset(rows).selection
        return Selection.of(checked_rows(self._record, rows or ()), self._record.rows)

    def _same_dataset(self, rows: Rows) -> Rows:
        if rows.record.id != self._record.id:
            raise UserError(f"These are rows of {rows.record.label}, not of {self._record.label}.")
        return rows

    def _targets(self, to: object) -> set[DatasetId]:
        if to != "sources":
            return {self._ancestor(to).id}
        ancestors = self._context.trace.ancestors(self._record)
        return {each.id for each in ancestors if self._context.edges.document(each) is None}

    def _ancestor(self, to: object) -> DatasetRecord:
        return self._context.targets.ancestor(self._record, to)

    def _descendant(self, to: object) -> DatasetRecord:
        return self._context.targets.descendant(self._record, to)
