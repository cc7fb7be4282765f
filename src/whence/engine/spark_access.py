"""One workspace's Spark session, and the caches that live exactly as long as it."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping
from functools import cached_property

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import to_arrow_schema

from whence.engine import pairing
from whence.engine.blame import raises_internal_errors
from whence.engine.collect_table import collect_table
from whence.engine.dataset_frames import DatasetFrames
from whence.engine.errors import translate_errors
from whence.engine.jvm import Jvm
from whence.engine.process import SparkProcess
from whence.engine.profile import Connect, Profile
from whence.engine.query import Query
from whence.engine.query_names import QueryNames
from whence.engine.scan import Relations, StoredFlags
from whence.engine.script import Runner
from whence.engine.sql_guard import SqlGuard
from whence.engine.type_names import type_name
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.model.schema import Field, Schema
from whence.store.store import Store


class SparkAccess:
    """The Spark process of a workspace, its session and datasets as frames; the parts of `Engine` build on it."""

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
        """The doubt flags that queries read: as stored, unless the workspace knows which were acknowledged."""
        self._datasets = DatasetFrames(store, lambda: self.session)
        self._names = QueryNames(lambda: self.session, self.frame)
        self.raises_internal_errors = raises_internal_errors()
        """An internal error of rules ends the query, and is not answered with coarse lineage."""
        self.replay: Callable[[DatasetRecord], Query | None] = lambda _: None
        """Makes a query of an earlier session again that was no text; the workspace knows how."""
        self._relations = Relations()
        self._queries: dict[DatasetId, Query] = {}
        self._running = 0
        self._counting = threading.Lock()

    @property
    def session(self) -> SparkSession:
        """The workspace's session, started when first asked for."""
        return self.process.session

    @property
    def connect(self) -> Connect | None:
        """Where isolated cells reach Spark; None in a library, which runs what its caller writes."""
        return self.process.connect

    def _clear_session(self) -> None:
        """Drop what was cached about a session that has ended: it means nothing to the next Java process."""
        self._datasets.clear()
        self._relations.clear()
        self._names.clear()
        self._queries.clear()
        for known in ("_jvm", "_runner", "_guard"):
            self.__dict__.pop(known, None)

    @cached_property
    def _runner(self) -> Runner:
        return Runner(self._jvm)

    @cached_property
    def _jvm(self) -> Jvm:
        return Jvm(self.session)

    @cached_property
    def _guard(self) -> SqlGuard:
        return SqlGuard(self.session)

    @property
    def is_utc(self) -> bool:
        """Days begin at midnight UTC in queries; a caller's own session may think otherwise."""
        return self.zone in ("UTC", "Etc/UTC", "Z")

    @property
    def zone(self) -> str:
        """The time zone whose clocks queries speak of; Spark is not started to know it."""
        return self.process.zone

    def dialect(self) -> list[str]:
        """The settings of the session that decide what a text means."""
        # One call: Spark's settings as a Java map would take three for each of a hundred entries.
        text = str(self.session._jsparkSession.conf().getAll().toString())
        found = re.findall(r"spark\.sql\.\S+ -> [^,)]*", text)
        return [self.session.version, *sorted(each for each in found if ".dir" not in each)]

    def frame(self, record: DatasetRecord) -> DataFrame:
        """The dataset as a DataFrame: a scan of its Parquet, internal columns invisible."""
        return self._datasets.frame(record)

    def with_row_numbers(self, record: DatasetRecord, rid: str) -> DataFrame:
        """The dataset with the position of each row in a last column called `rid`."""
        return self._datasets.with_row_numbers(record, rid)

    def frame_with_rids(self, record: DatasetRecord) -> DataFrame:
        """The dataset as a DataFrame whose last column is the rid."""
        return self.with_row_numbers(record, pairing.ROW)

    def to_arrow(self, frame: DataFrame) -> pa.Table:
        """All rows of a frame, in its order."""
        with translate_errors(), self.process.interruptible():
            return collect_table(frame)

    def arrow_schema(self, ddl: str) -> pa.Schema:
        """A schema that only Spark can read."""
        with translate_errors():
            return to_arrow_schema(self.session.createDataFrame([], ddl).schema, timezone="UTC")

    def types(self, frame: DataFrame) -> list[str]:
        """The types of a frame's columns, as Spark writes them."""
        return [type_name(field.dataType) for field in frame.schema.fields]

    def schema_of(self, frame: DataFrame) -> Schema:
        """The columns of a frame."""
        return Schema(tuple(Field(field.name, type_name(field.dataType)) for field in frame.schema.fields))
