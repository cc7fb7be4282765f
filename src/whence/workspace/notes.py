"""The notes of a result: sentences with numbers about its shape, and about values that were never data."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from whence.lineage.cell_grounds import PARTLY, WRITTEN
from whence.lineage.shape_notes import ShapeNotes
from whence.model.dataset import DatasetRecord
from whence.model.plural import counted
from whence.store.history_note import HISTORY, history_sentences
from whence.workspace.context import Context
from whence.workspace.query_place import query_place


def dataset_notes(context: Context, record: DatasetRecord) -> list[str]:
    """Return the notes of a dataset version, the most surprising first."""
    shape = ShapeNotes(context.store, context.readers.edges)
    return [*history_notes(context, record), *shape.of(record), *ground_notes(context, record)]


def notes_at_hand(context: Context, record: DatasetRecord) -> list[str]:
    """Return the notes that can be told without running a query again; a result that is only shown runs none."""
    readers = context.readers
    shape = ShapeNotes(context.store, readers.edges).of(record) if readers.edges.is_at_hand(record) else []
    return [
        *history_notes(context, record),
        *shape,
        *(ground_notes(context, record) if readers.grounds.is_at_hand(record) else []),
    ]


def history_notes(context: Context, record: DatasetRecord) -> list[str]:
    """Return a sentence for each time that rows of this version were forgotten."""
    return history_sentences(context.store.document(record, HISTORY))


def ground_notes(context: Context, record: DatasetRecord) -> list[str]:
    """Return a sentence for each column with values that stand on no data."""
    return list(_ground_notes(context, record))


def _ground_notes(context: Context, record: DatasetRecord) -> Iterator[str]:
    grounds = context.readers.grounds
    for column, states in grounds.of(record).columns.items():
        rows = np.flatnonzero(states == WRITTEN)
        if len(rows):
            is_own = grounds.is_written_here(record, int(rows[0]), column)
            many = f"{len(rows):,} of {counted(record.rows, 'value')} of {column}"
            how = (
                f"written in {query_place(context.store, record)}"
                if is_own
                else f"built on values written {grounds.writer(record)}"
            )
            yield f"{many} {'is' if len(rows) == 1 else 'are'} {how}, not data."
        partly = int((states == PARTLY).sum())
        if partly:
            many = f"{partly:,} of {counted(record.rows, 'value')} of {column}"
            yield f"{many} {'is' if partly == 1 else 'are'} built partly on values written {grounds.writer(record)}."
