"""Chooses the handle that a user gets for a dataset version: one of rows, or one of an array."""

from __future__ import annotations

from whence.arrays.arrays import form_of
from whence.model.dataset import DatasetRecord
from whence.workspace.array import ArrayDataset
from whence.workspace.context import Context
from whence.workspace.dataset import Dataset


def handle_of(context: Context, record: DatasetRecord) -> Dataset:
    """Return an `ArrayDataset` for a version that holds an array, a `Dataset` for any other."""
    kind = Dataset if form_of(context.store, record) is None else ArrayDataset
    return kind(context, record)
