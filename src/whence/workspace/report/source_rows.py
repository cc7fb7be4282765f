"""The rows of loaded files that a report shows, each once however many numbers stand on it."""

from __future__ import annotations

from whence.model.dataset import DatasetRecord
from whence.model.schema import LINE_COLUMN
from whence.store.store import Store
from whence.workspace.report.redaction import Redaction
from whence.workspace.report.shown_value import HIDDEN, value_text

Json = dict[str, object]


class SourceRows:
    """Collects the rows behind numbers, and reads them when the report is written."""

    def __init__(self, store: Store, redaction: Redaction) -> None:
        self._store = store
        self._redaction = redaction
        self._rows: dict[str, set[int]] = {}
        self._records: dict[str, DatasetRecord] = {}

    def add(self, record: DatasetRecord, rows: list[int]) -> None:
        """Take these rows into the report."""
        self._records[record.label] = record
        self._rows.setdefault(record.label, set()).update(rows)

    def to_json(self) -> Json:
        """Return the columns of each dataset, and its rows by number: the line of the file and the values as text."""
        return {label: self._read(label, sorted(rows)) for label, rows in self._rows.items()}

    def _read(self, label: str, rows: list[int]) -> Json:
        record, store = self._records[label], self._store
        names = record.schema.names
        hidden = [self._redaction.hides(record.name, name) for name in names]
        values = [[value_text(each) for each in column.to_pylist()] for column in store.take(record, rows).columns]
        shown = [[HIDDEN] * len(rows) if is_hidden else each for each, is_hidden in zip(values, hidden, strict=True)]
        cells = list(zip(*shown, strict=True))
        lines = store.take(record, rows, [LINE_COLUMN]).column(0).to_pylist()
        return {
            "columns": list(names),
            "rows": {
                str(row): [line, list(row_cells)] for row, line, row_cells in zip(rows, lines, cells, strict=True)
            },
        }
