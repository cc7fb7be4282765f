"""Caches datasets as DataFrames of one session: scans of their Parquet files, with or without row ids."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - the name every PySpark user knows

from whence.engine.scan import read_rows, row_id, user_columns
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.model.schema import OFFSET_COLUMN
from whence.store.store import Store


class DatasetFrames:
    """The frames of datasets, each made once for a session. `clear` drops them when the session ends."""

    def __init__(self, store: Store, session: Callable[[], SparkSession]) -> None:
        self._store = store
        self._session = session
        self._frames: dict[DatasetId, DataFrame] = {}
        self._scans: dict[DatasetId, DataFrame] = {}
        """Frames with internal columns, such as the offset of each file, from which row ids are computed."""
        self._numbered: dict[tuple[DatasetId, str], DataFrame] = {}

    def frame(self, record: DatasetRecord) -> DataFrame:
        """Return the dataset without internal columns."""
        self._store.check_references(record)
        rows = self.rows(record)
        if record.id not in self._frames:
            self._frames[record.id] = user_columns(rows)
        return self._frames[record.id]

    def rows(self, record: DatasetRecord) -> DataFrame:
        """Return the dataset with its internal columns."""
        session = self._session()  # first, as it may start a new Java process, and that clears these caches
        if record.id not in self._scans:
            self._scans[record.id] = read_rows(session, record, self._store.rows_path(record))
        return self._scans[record.id]

    def with_row_numbers(self, record: DatasetRecord, rid: str) -> DataFrame:
        """Return the dataset with the row id of each row in a last column, whose name is `rid`."""
        rows = self.rows(record)  # first: it starts Spark, and `row_id` needs a running session
        if (record.id, rid) not in self._numbered:
            self._numbered[record.id, rid] = user_columns(rows.withColumn(rid, row_id()))
        return self._numbered[record.id, rid]

    def first_rows(self, record: DatasetRecord, rid: str, count: int) -> DataFrame:
        """Return the first rows of the dataset with the row id of each in a last column, whose name is `rid`."""
        # Spark lists files by their offset, so those that begin later are not opened.
        first = self.rows(record).where(F.col(OFFSET_COLUMN) < count).withColumn(rid, row_id())
        return user_columns(first.where(F.col(rid) < count))

    def clear(self) -> None:
        """Drop the frames of a session that has ended."""
        self._frames.clear()
        self._scans.clear()
        self._numbered.clear()
