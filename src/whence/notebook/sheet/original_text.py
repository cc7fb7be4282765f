"""Original texts: what cells said in the loaded file, where that could not become a value of the column."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.lineage.edges import Edges
from whence.model.dataset import DatasetRecord
from whence.notebook.sheet.rowset import Mask, Rows
from whence.store.store import Store


class OriginalTexts:
    """Reads original texts from the caveats of a dataset, and of the datasets from which it copies columns.

    Two cells that are empty, because one said `21 USD` and the other `n/a` in the file, are not identical.
    """

    def __init__(self, store: Store, edges: Edges) -> None:
        self._store = store
        self._edges = edges

    def same(self, record: DatasetRecord, column: str, row: int) -> Mask:
        """Return for each row whether its text equals that of this row; without a text, rows without one are equal."""
        rows, texts = self._of(record, column)
        own = texts[np.flatnonzero(rows == row)]
        if not len(own):
            same = np.ones(record.rows, dtype=bool)
            same[rows] = False
            return same
        same = np.zeros(record.rows, dtype=bool)
        same[rows[texts == own[0]]] = True
        return same

    def _of(self, record: DatasetRecord, column: str) -> tuple[Rows, np.ndarray]:
        """Return rows and their texts; a text of the dataset itself counts before one of a dataset it copies."""
        found = [self._own(record, column), *self._copied(record, column)]
        rows, texts = (np.concatenate(each) for each in zip(*found, strict=True))
        first = np.unique(rows, return_index=True)[1]
        return rows[first], texts[first]

    def _own(self, record: DatasetRecord, column: str) -> tuple[Rows, np.ndarray]:
        table = self._store.caveat_table(record)
        is_here = pc.and_(
            pc.equal(table["column"], column), pc.and_(pc.is_valid(table["row"]), pc.is_valid(table["text"]))
        )
        here = table.filter(pc.fill_null(is_here, False))
        return here["row"].to_numpy().astype(np.int64), _objects(here["text"])

    def _copied(self, record: DatasetRecord, column: str) -> list[tuple[Rows, np.ndarray]]:
        document = self._edges.document(record)
        if document is None or not document.is_exact:  # coarse lineage does not say which row was copied
            return []
        found = []
        for use in document.values.get(column, ()):
            if use.role == "copied":
                rows, texts = self._of(self._edges.record(document.sources[use.source]), use.column)
                lengths, shown = self._edges.lookup_each(record, use.source, rows, backward=False)
                found.append((shown, np.repeat(texts, lengths)))
        return found


def _objects(texts: pa.ChunkedArray) -> np.ndarray:
    return np.array([*texts.to_pylist(), None], dtype=object)[:-1]
