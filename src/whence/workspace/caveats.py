"""`ds.caveats`: what is in doubt, and why."""

from __future__ import annotations

import pyarrow as pa

from whence.model.caveat import CaveatGroup
from whence.model.dataset import DatasetRecord
from whence.workspace.context import Context, checked_column, checked_row


class DatasetCaveats:
    """Marks and caveats of one dataset version."""

    def __init__(self, context: Context, record: DatasetRecord) -> None:
        self._context = context
        self._record = record

    def marks(self, start: int = 0, stop: int | None = None) -> pa.Table:
        """One boolean per column, plus `_row`, in rid order: True where a cell or row is in doubt.

        >>> doubtful = ws.create("doubtful", [(1,), (2,)], schema="x int", cell_caveats=[(1, "x", "smudged")])
        >>> doubtful.caveats.marks().to_pylist()
        [{'x': False, '_row': False}, {'x': True, '_row': False}]
        """
        return self._context.store.marks(self._record, start, stop)

    @property
    def row_set(self) -> bool:
        """True if a row that is absent might belong here."""
        return self._record.doubt.row_set

    def list(self, row: int | None = None, column: str | None = None) -> list[CaveatGroup]:
        """The caveats behind the marks: of the dataset, a row, a column or a cell, in groups.

        >>> given = ws.create("given", [(1,), (2,)], schema="x int", cell_caveats=[(1, "x", "smudged")])
        >>> [(group.message, group.count) for group in given.caveats.list(row=1)]
        [('smudged', 1)]
        """
        if row is not None:
            row = checked_row(self._record, row)
        if column is not None:
            column = checked_column(self._record, column)
        return self._context.reasons.of(self._record, row, column)
