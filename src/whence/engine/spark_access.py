"""One workspace's Spark session, and the caches that live exactly as long as it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import cached_property

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import to_arrow_schema

from whence.engine import pairing
from whence.engine.blame import raises_internal_errors
from whence.engine.collect_table import collect_table
from whence.engine.connect_gate.check_text import CellTexts
from whence.engine.connect_gate.door import Door
from whence.engine.dataset_frames import DatasetFrames
from whence.engine.errors import translate_errors
from whence.engine.foreign_leaf import ForeignLeaf
from whence.engine.jvm import Jvm
from whence.engine.process import SparkProcess
from whence.engine.profile import Connect, Profile
from whence.engine.query import Query
from whence.engine.query_names import QueryNames
from whence.engine.scan import Relations, StoredFlags
from whence.engine.script import Runner
from whence.engine.spark_settings import read_settings
from whence.engine.sql_guard import SqlGuard
from whence.engine.type_names import type_name
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.model.schema import Field, Schema
from whence.store.store import Store
from whence.store.types import with_collations


class SparkAccess:
    """The Spark session of a workspace and its datasets as frames; base class of the three parts of `Engine`."""

    def __init__(
        self,
        store: Store,
        master: str,
        caller: SparkSession | None = None,
        settings: Mapping[str, str] | None = None,
        profile: Profile = "library",
        flags: StoredFlags | None = None,
    ) -> None:
        self._store = store
        self.process = SparkProcess(
            layout=store.layout,
            master=master,
            caller=caller,
            settings=settings or {},
            profile=profile,
            clear_session=self._clear_session,
        )
        self.flags = flags or StoredFlags(store)
        """The doubt flags that queries read: the stored ones, or those that the workspace gives once caveats are
        acknowledged."""
        self._datasets = DatasetFrames(store, lambda: self.session)
        self._names = QueryNames(lambda: self.session, self.frame)
        self.raises_internal_errors = raises_internal_errors()
        """Whether an internal error of a lineage rule ends the query, instead of falling back to coarse lineage."""
        self.replay: Callable[[DatasetRecord], Query | None] = lambda _: None
        """Rebuilds a query of an earlier session that was not SQL text. The workspace sets this function."""
        self._relations = Relations()
        self._queries: dict[DatasetId, Query] = {}
        self._written_queries: dict[DatasetId, Query] = {}
        self._known_leaves: list[tuple[ForeignLeaf, DatasetId]] = []
        self._followed_settings = ""
        self._running = 0
        self._counting = threading.Lock()

    @property
    def session(self) -> SparkSession:
        """The workspace's Spark session. The first access starts Spark."""
        return self.process.session

    @property
    def connect(self) -> Connect | None:
        """Where isolated cells reach Spark; None in library mode, which runs what its caller writes."""
        return self.process.connect

    @cached_property
    def door(self) -> Door | None:
        """Where isolated cells reach Spark; None in library mode."""
        return None if self.connect is None else Door(self.connect, lambda: self._cell_texts)

    def close(self) -> None:
        """Let no more cells reach Spark. Spark itself keeps running."""
        if (door := self.__dict__.get("door")) is not None:
            door.close()
        self.process.close()

    def _clear_session(self) -> None:
        """Drop what was cached about a session that has ended: its Java objects do not exist in the next process."""
        self._datasets.clear()
        self._relations.clear()
        self._names.clear()
        self._queries.clear()
        self._written_queries.clear()
        self._known_leaves.clear()
        self._followed_settings = ""
        # Each is a cached_property, which looks its value up in `__dict__`. Without the entry it is computed anew.
        for known in ("_jvm", "_known_runner", "_guard", "_cell_texts", "_leaf_finder"):
            self.__dict__.pop(known, None)

    @property
    def _runner(self) -> Runner:
        """What runs scripts in the Java process, a new one if that process has ended since."""
        if not self.process.is_running:
            _ = self.session
        return self._known_runner

    @cached_property
    def _known_runner(self) -> Runner:
        return Runner(self._jvm)

    @cached_property
    def _jvm(self) -> Jvm:
        return Jvm(self.session)

    @cached_property
    def _guard(self) -> SqlGuard:
        return SqlGuard(self.session)

    @cached_property
    def _cell_texts(self) -> CellTexts:
        return CellTexts(self.session)

    @property
    def is_utc(self) -> bool:
        """Whether days begin at midnight UTC in queries. A caller's own session may have another time zone."""
        return self.zone in ("UTC", "Etc/UTC", "Z")

    @property
    def zone(self) -> str:
        """The time zone of queries. Reading it does not start Spark."""
        return self.process.zone

    def dialect(self) -> list[str]:
        """Return Spark's version and the `spark.sql` settings of the session, which decide what a SQL text means."""
        settings = self._runner.settings().items()
        found = [
            f"{name} -> {value}" for name, value in settings if name.startswith("spark.sql.") and ".dir" not in name
        ]
        return [self.session.version, *sorted(found)]

    def settings(self) -> dict[str, str]:
        """Return the settings of Spark that may be told to others; none while it does not run, as it is not started."""
        return read_settings(self.process.session) if self.process.is_running else {}

    def frame(self, record: DatasetRecord) -> DataFrame:
        """Return the dataset as a DataFrame: a scan of its Parquet files without internal columns."""
        return self._datasets.frame(record)

    def with_row_numbers(self, record: DatasetRecord, rid: str) -> DataFrame:
        """Return the dataset with the row id of each row in a last column, whose name is `rid`."""
        return self._datasets.with_row_numbers(record, rid)

    def first_rows(self, record: DatasetRecord, rid: str, count: int) -> DataFrame:
        """Return the first rows of the dataset, with the row id of each in a last column, whose name is `rid`."""
        return self._datasets.first_rows(record, rid, count)

    def frame_with_rids(self, record: DatasetRecord) -> DataFrame:
        """Return the dataset with the row id of each row in a last column, named `pairing.ROW`."""
        return self.with_row_numbers(record, pairing.ROW)

    def to_arrow(self, frame: DataFrame) -> pa.Table:
        """Run the frame and return all its rows, in its order. Ctrl-C cancels the jobs."""
        with translate_errors(), self.process.interruptible():
            return collect_table(frame, self._runner.collect)

    def arrow_schema(self, ddl: str) -> pa.Schema:
        """Return a schema in Spark's DDL as an Arrow schema. Spark parses it."""
        with translate_errors():
            frame = self.session.createDataFrame([], ddl)
            arrow = to_arrow_schema(frame.schema, timezone="UTC")
        return with_collations(arrow, self.types(frame))

    def types(self, frame: DataFrame) -> list[str]:
        """Return the types of a frame's columns, as DDL names that Spark can parse."""
        return [type_name(field.dataType) for field in frame.schema.fields]

    def schema_of(self, frame: DataFrame) -> Schema:
        """Return the columns of a frame as a schema."""
        return Schema(tuple(Field(field.name, type_name(field.dataType)) for field in frame.schema.fields))
