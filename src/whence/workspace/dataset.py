"""A dataset version in the user's hands."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from whence.loading.report import LoadReport, load_report
from whence.model.dataset import DatasetRecord
from whence.model.schema import LINE_COLUMN, Schema
from whence.workspace.caveats import DatasetCaveats
from whence.workspace.context import Context
from whence.workspace.lineage import DatasetLineage

if TYPE_CHECKING:
    import pandas as pd

    from whence.engine.frames import Frame


class Dataset:
    """One immutable version of a dataset: rows, lineage and caveats."""

    def __init__(self, context: Context, record: DatasetRecord) -> None:
        self._context = context
        self.record = record

    @property
    def name(self) -> str:
        """What the workspace calls it."""
        return self.record.name

    @property
    def version(self) -> int:
        """Which version of its name this is, from 1."""
        return self.record.version

    @property
    def count(self) -> int:
        """How many rows."""
        return self.record.rows

    @property
    def schema(self) -> Schema:
        """Column names and types."""
        return self.record.schema

    @property
    def columns(self) -> list[str]:
        """Column names."""
        return list(self.record.schema.names)

    @property
    def df(self) -> Frame:
        """The dataset as a PySpark DataFrame: a scan of its Parquet."""
        return self._context.engine.frame(self.record)

    def rows(self, start: int = 0, stop: int | None = None) -> pa.Table:
        """Rows start..stop-1 as an Arrow table, in rid order; no Spark needed.

        >>> ws.create("letters", [("a",), ("b",), ("c",)], schema="letter string").rows(1, 3).to_pylist()
        [{'letter': 'b'}, {'letter': 'c'}]
        """
        return self._context.store.read(self.record, start, self.count if stop is None else stop)

    def to_arrow(self) -> pa.Table:
        """All rows as an Arrow table."""
        return self.rows()

    def to_pandas(self) -> pd.DataFrame:
        """All rows as a pandas frame."""
        frame: pd.DataFrame = self.to_arrow().to_pandas()
        return frame

    @cached_property
    def lineage(self) -> DatasetLineage:
        """Where rows and cells came from, and where they went."""
        return DatasetLineage(self._context, self.record)

    @cached_property
    def caveats(self) -> DatasetCaveats:
        """What is in doubt, and why."""
        return DatasetCaveats(self._context, self.record)

    @property
    def load_report(self) -> LoadReport | None:
        """How the file was read, and what in it did not fit; None if the dataset was not loaded."""
        return load_report(self._context.store, self.record)

    def parents(self) -> list[Dataset]:
        """The dataset versions it was made from."""
        return [Dataset(self._context, self._context.store.by_id(parent)) for parent in self.record.parents]

    def source_lines(self, rids: Iterable[int]) -> list[int | None]:
        """The line of the loaded file on which each of these rows begins; None where there was no file."""
        wanted = np.array(list(rids), dtype=np.int64)
        lines: list[int | None] = self._context.store.take(self.record, wanted, [LINE_COLUMN]).column(0).to_pylist()
        return lines

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return f"<dataset {self.record.label}: {self.count} rows, {len(self.columns)} columns>"
