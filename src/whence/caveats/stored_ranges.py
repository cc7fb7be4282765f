"""The document about ranges that a run stored with its rows, and the ranges themselves in the part files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, cast

import pyarrow as pa

from whence.model.dataset import DatasetRecord
from whence.model.schema import range_columns
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
    form: int = FORM

    def to_json(self) -> dict[str, object]:
        """Return the content of the document."""
        return asdict(self)

    @classmethod
    def of(cls, store: Store, record: DatasetRecord) -> StoredRanges | None:
        """Return what is stored with a dataset; None if nothing is, or by rules of another time."""
        content = cast("dict[str, Any] | None", store.document(record, NAME))
        if content is None or content["form"] != FORM:
            return None
        return cls(tuple(content["positions"]), content["reasons"], content["states"])

    def read(self, store: Store, record: DatasetRecord) -> pa.Table:
        """Read the range columns, a row for each row of the dataset."""
        names = [name for position in self.positions for name in range_columns(position)]
        return store.read(record, 0, record.rows, names) if names else pa.table({})
