"""Shows datasets in the output of a cell, and remembers which, as a front end may ask about their values later."""

from __future__ import annotations

from html import escape

from whence.jupyter.origin import origin_or_reason
from whence.model.errors import UserError, WhenceError
from whence.workspace.dataset import Dataset
from whence.workspace.dataset_html import FIRST_ROWS, CellLooks, table_html


class ShownTables:
    """The datasets that one kernel has shown."""

    def __init__(self) -> None:
        self._shown: dict[str, Dataset] = {}

    def html(self, dataset: Dataset, rows: int = FIRST_ROWS) -> str:
        """Return a table with red doubts, and below it the source rows behind each row, folded up.

        The folded part needs no kernel and no script, so it is there in a notebook that is only read.
        """
        self._shown[dataset.record.id] = dataset
        count = min(rows, dataset.count)
        looks = CellLooks(dataset.caveats.marks(0, count), dataset.caveats.list, lambda *at: _written_at(dataset, *at))
        title = repr(dataset).removeprefix("<Dataset ").removesuffix(">")
        table = table_html(dataset.rows(0, count), looks, range(count), dataset.record.id)
        return f"<div><p>{escape(title)}</p>{table}{_folded_origins(dataset, min(count, FIRST_ROWS))}</div>"

    def origin(self, dataset: str, row: int, column: int | None) -> str:
        """Return the origin of a value of a dataset that was shown. The column is counted from 0."""
        found = self._shown.get(dataset)
        if found is None:  # the page may ask about what another kernel has shown, or about anything else
            raise UserError("This kernel has not shown this table.", "Run its cell again.")
        if not 0 <= row < found.count or (column is not None and not 0 <= column < len(found.columns)):
            raise UserError("The table has no such value.", "Run its cell again.")
        return origin_or_reason(found, row, None if column is None else found.columns[column])


def _written_at(dataset: Dataset, row: int, column: str) -> str:
    try:
        return dataset.lineage.origin(row, column)
    except WhenceError:  # lineage that is damaged must not hide the rows
        return ""


def _folded_origins(dataset: Dataset, count: int) -> str:
    rows = "".join(
        f"<details><summary>Row {row}</summary>{origin_or_reason(dataset, row, None)}</details>" for row in range(count)
    )
    return f"<details><summary>Where these rows came from</summary>{rows}</details>" if rows else ""
