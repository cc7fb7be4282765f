"""Pairs rows of two datasets that were made, row by row, from rows of the same dataset."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from whence.lineage.block import NO_ROW, Ids
from whence.lineage.edges import Edges
from whence.lineage.rowkeys import RowKeys, one_row_of
from whence.model.dataset import DatasetRecord
from whence.store.difference import RowMatches, match_row_ids
from whence.store.forgotten import ForgottenRecord


def match_by_shared_rows(edges: Edges, keys: RowKeys, before: DatasetRecord, after: DatasetRecord) -> RowMatches | None:
    """Pair rows by the row of a common ancestor they come from; None if there is none, or one row made several.

    Their keys are those of the ancestor's rows, so keys pair the same rows, but must be worked out from values.
    """
    ways = {record.id: rows for record, rows in _ways_back(edges, keys, before)}
    for ancestor, rows in _ways_back(edges, keys, after):
        if ancestor.id in ways:
            both = (ways[ancestor.id], rows)
            is_one_each = all(_is_one_each(each, ancestor.rows) for each in both)
            return match_row_ids(*both, ancestor.rows) if is_one_each else None
    return None


def _ways_back(edges: Edges, keys: RowKeys, record: DatasetRecord) -> Iterator[tuple[DatasetRecord, Ids]]:
    """Yield the dataset and its ancestors as far as each row is one row of them, with the ids of these rows."""
    rows = np.arange(record.rows, dtype=np.int64)
    yield record, rows
    while (source := keys.source_of_rows(record)) is not None:
        parent = edges.record(edges.sources(record)[source])
        if isinstance(parent, ForgottenRecord):
            return
        made_from = one_row_of(edges.block(record), source)
        if (made_from == NO_ROW).any():
            return
        record, rows = parent, made_from[rows]
        yield record, rows


def _is_one_each(rows: Ids, count: int) -> bool:
    return bool((np.bincount(rows, minlength=count) <= 1).all())
