"""The document about ranges that a run stored with its rows, and the ranges themselves in the part files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, cast

import pyarrow as pa
import pyarrow.parquet as pq

from whence.model.dataset import DatasetRecord
from whence.model.schema import range_columns
from whence.store.parts import PartFile
from whence.store.store import Store

NAME = "ranges"

FORM = 3
"""Goes into the document, and into the name of every file with ranges: one of another form is never read."""


@dataclass(frozen=True)
class StoredRanges:
    """Which columns of a dataset have ranges in its part files, and why others have none."""

    positions: tuple[int, ...]
    reasons: Mapping[str, str]
    states: list[str]
    """The acknowledged caveats of all that the dataset was made from, when it was made."""
    never_missing: tuple[int, ...] = ()
    """Columns in which no cell in doubt may be NULL."""
    form: int = FORM

    def with_statistics(self, parts: Iterable[PartFile]) -> StoredRanges:
        """Return the same with what the footers of the part files tell."""
        footers = [pq.read_metadata(part.path) for part in parts]
        never_missing = (
            each for each in self.positions if not any(_may_be_missing(footer, each) for footer in footers)
        )
        return replace(self, never_missing=tuple(never_missing))

    def to_json(self) -> dict[str, object]:
        """Return the content of the document."""
        return asdict(self)

    @classmethod
    def of(cls, store: Store, record: DatasetRecord) -> StoredRanges | None:
        """Return what is stored with a dataset; None if nothing is, or by rules of another time."""
        content = cast("dict[str, Any] | None", store.document(record, NAME))
        if content is None or content["form"] != FORM:
            return None
        never_missing = content.get("never_missing", ())  # no earlier version wrote it
        return cls(tuple(content["positions"]), content["reasons"], content["states"], tuple(never_missing))

    def read(self, store: Store, record: DatasetRecord) -> pa.Table:
        """Read the range columns, a row for each row of the dataset."""
        names = [name for position in self.positions for name in range_columns(position)]
        return store.read(record, 0, record.rows, names) if names else pa.table({})


def _may_be_missing(footer: pq.FileMetaData, position: int) -> bool:
    """Whether a cell of the column at this position may be NULL, as the statistics of a part file tell."""
    place = footer.schema.names.index(range_columns(position)[2])
    chunks = (footer.row_group(number).column(place) for number in range(footer.num_row_groups))
    return any(_has_true(chunk) for chunk in chunks)


def _has_true(chunk: pq.ColumnChunkMetaData) -> bool:
    known = chunk.statistics
    if known is None:
        return True
    return bool(known.max) if known.has_min_max else known.null_count != chunk.num_values
