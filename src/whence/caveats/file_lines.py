"""Finds the lines of the loaded file on which rows begin, also for versions that only state doubts about its rows."""

from __future__ import annotations

from whence.lineage.block import Ids
from whence.lineage.edges import Edges
from whence.model.dataset import DatasetRecord
from whence.model.errors import WhenceError
from whence.model.schema import LINE_COLUMN
from whence.store.forgotten import ForgottenRecord
from whence.store.store import Store

STATING = ("caveat", "expect")
"""Origins of versions with the rows of the version before, and more doubts."""


def file_lines(store: Store, edges: Edges, record: DatasetRecord, rows: Ids) -> list[int | None]:
    """Return the line of each of these rows; None where there was no file."""
    missing: list[int | None] = [None] * len(rows)
    while record.origin in STATING:
        if not record.parents:  # the version below was forgotten
            return missing
        try:
            lengths, rows = edges.lookup_each(record, 0, rows, backward=True)
        except WhenceError:  # its lineage was not captured, or is damaged: the caveats must be listed all the same
            return missing
        record = store.by_id(record.parents[0])
        if isinstance(record, ForgottenRecord) or not (lengths == 1).all():
            return missing
    lines: list[int | None] = store.take(record, rows, [LINE_COLUMN]).column(0).to_pylist()
    return lines
