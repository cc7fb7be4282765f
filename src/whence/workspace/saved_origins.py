"""Finds the source rows that stood beside a loaded table, also for versions that only state doubts about its rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.caveats.file_lines import STATING
from whence.lineage.edges import Edges
from whence.lineage.selection import Selection
from whence.loading.table_lineage import FOUND, saved_lineage
from whence.model.dataset import DatasetRecord
from whence.store.forgotten import ForgottenRecord
from whence.store.store import Store
from whence.workspace.context import Context

_MOST = 100
"""The rows of a loaded table that are looked up for one row made from them."""
Ids = npt.NDArray[np.int64]


def saved_origins(store: Store, edges: Edges, record: DatasetRecord, rows: Ids) -> pa.Table:
    """Return a line for each of these rows and each source row that stood beside the table."""
    nothing = FOUND.empty_table()
    own, below = rows, rows
    while record.origin in STATING:
        if not record.parents:  # the version below was forgotten
            return nothing
        lengths, below = edges.lookup_each(record, 0, below, backward=True)
        record = store.by_id(record.parents[0])
        if isinstance(record, ForgottenRecord) or not (lengths == 1).all():
            return nothing
    found = saved_lineage(store, record)
    if found is None:
        return nothing
    table = found.of(below)
    numbers = dict(zip(below.tolist(), own.tolist(), strict=True))
    mine = pa.array([numbers[row] for row in table.column("row").to_pylist()], pa.int64())
    return table.set_column(0, "row", mine)


def saved_sentences(context: Context, record: DatasetRecord, row: int) -> Iterator[str]:
    """Yield from which source rows the rows of loaded tables behind a row were saved, a sentence for each table."""
    behind = context.readers.trace.backward_to_all(record, Selection.of_sorted(np.array([row]), record.rows))
    rows = {record.id: np.array([row]), **{id: each.page(0, _MOST) for id, each in behind.items()}}
    for each in (record, *context.readers.trace.ancestors(record)):
        if isinstance(each, ForgottenRecord) or each.id not in rows:
            continue
        words = saved_words(saved_origins(context.store, context.readers.edges, each, rows[each.id]))
        if words:
            yield f"Beside the table that {each.label} was loaded from: {words}."


def saved_words(table: pa.Table, most: int = 3) -> str:
    """Return in words the source rows that stood beside a table; empty if there are none."""
    places = [_place(each) for each in table.slice(0, most).to_pylist()]
    more = f" and {table.num_rows - most} more" if table.num_rows > most else ""
    return f"{', '.join(places)}{more}" if places else ""


def _place(found: Mapping[str, Any]) -> str:
    line = "" if found["line"] is None else f", line {found['line']}"
    file = f" ({found['file']}{line})" if found["file"] else ""
    return f"row {found['source_row']} of {found['source']}{file}"
