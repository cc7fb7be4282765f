"""Datasets as DataFrames of one session: a scan of their Parquet, with or without row ids."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import DataFrame, SparkSession

from whence.engine.scan import read_rows, row_id, user_columns
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.store.store import Store


class DatasetFrames:
    """Makes each frame once; `clear` is called when the session ends."""

    def __init__(self, store: Store, session: Callable[[], SparkSession]) -> None:
        self._store = store
        self._session = session
        self._frames: dict[DatasetId, DataFrame] = {}
        self._scans: dict[DatasetId, DataFrame] = {}
        """The same with the offset of each file, of which rids are made."""
        self._numbered: dict[tuple[DatasetId, str], DataFrame] = {}

    def frame(self, record: DatasetRecord) -> DataFrame:
        """The dataset without internal columns."""
        self._store.check_references(record)
        rows = self.rows(record)
        if record.id not in self._frames:
            self._frames[record.id] = user_columns(rows)
        return self._frames[record.id]

    def rows(self, record: DatasetRecord) -> DataFrame:
        """The dataset with its internal columns."""
        session = self._session()  # first: what is known of one that died is forgotten
        if record.id not in self._scans:
            self._scans[record.id] = read_rows(session, record, self._store.rows_path(record))
        return self._scans[record.id]

    def with_row_numbers(self, record: DatasetRecord, rid: str) -> DataFrame:
        """The dataset with the position of each row in a last column called `rid`."""
        rows = self.rows(record)  # first, for it starts Spark, without which there are no columns
        if (record.id, rid) not in self._numbered:
            self._numbered[record.id, rid] = user_columns(rows.withColumn(rid, row_id()))
        return self._numbered[record.id, rid]

    def clear(self) -> None:
        """Drop the frames of a session that has ended."""
        self._frames.clear()
        self._scans.clear()
        self._numbered.clear()
