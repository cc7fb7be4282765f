"""The versions that take the place of others while rows are forgotten."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from whence.lineage.block import Ids
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.workspace.context import Context


@dataclass(frozen=True)
class NewVersions:
    """The versions that take the place of others so far, and the new row ids of those whose rows were cut."""

    records: Mapping[DatasetId, DatasetRecord]
    rids: Mapping[DatasetId, Ids]
    values: frozenset[str] = frozenset()
    """Texts that only rows that go hold."""

    def of(self, record: DatasetRecord) -> DatasetRecord:
        """Return the version that takes the place of another, or the same if it stays."""
        return self.records.get(record.id, record)


def same_rids(context: Context, record: DatasetRecord, rids: Mapping[DatasetId, Ids]) -> Ids | None:
    """Return the new row ids of a version that has the rows of its input; None if those of the input are not known."""
    below = rids.get(record.parents[0])
    if below is None:
        return None
    every = np.arange(record.rows, dtype=np.int64)
    lengths, rows = context.readers.edges.lookup_each(record, 0, every, backward=True)
    return below[rows] if bool((lengths == 1).all()) else None
