"""Row ids stored inline: hidden columns of a dataset's own files hold the input row of each row, one per source."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from whence.lineage.block import NO_ROW, Block, Ids, Part
from whence.model.dataset import DatasetRecord
from whence.model.schema import id_column
from whence.store.store import Store


@dataclass(frozen=True)
class InlineRowIds:
    """The derivations of a dataset whose rows come from one row of each of these sources; they are not read yet."""

    rows: int
    sources: tuple[int, ...]

    @property
    def bytes(self) -> int:
        """What the ids take at four bytes a number."""
        return 4 * self.rows * len(self.sources)

    @property
    def derivations(self) -> int:
        """How many there are."""
        return self.rows


def read_inline_row_ids(store: Store, record: DatasetRecord, sources: tuple[int, ...]) -> Block:
    """The block that the columns of a dataset's own files hold."""
    table = store.read(record, 0, record.rows, [id_column(source) for source in sources])
    ids = {source: _ids(column) for source, column in zip(sources, table.columns, strict=True)}
    return Block(record.rows, (Part(None, ids),))


def _ids(column: pa.ChunkedArray) -> Ids:
    filled = column.fill_null(NO_ROW) if column.null_count else column
    ids: Ids = filled.to_numpy().astype(np.int64, copy=False)
    return ids
