"""Shares datasets and results between an isolated cell and the workspace, as global temporary views of Spark."""

from __future__ import annotations

import contextlib
import secrets
import uuid
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from py4j.protocol import Py4JError
from pyspark.sql import DataFrame, SparkSession

from whence.engine.leaves import Leaf, leaves_of
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.model.schema import OFFSET_COLUMN

_DATABASE = "global_temp"
_PLAIN = frozenset({"Range", "LocalRelation", "OneRowRelation", "CTERelationRef", "UnionLoopRef"})
_MADE_IN_PYTHON = frozenset({"LocalRelation", "LogicalRDD", "CachedLocalRelation"})


class SharedViews:
    """The shared names of one run of one cell: random, and dropped when the run ends."""

    def __init__(self, session: SparkSession) -> None:
        self._session = session
        self._names: list[str] = []
        self.connect_session = str(uuid.uuid4())
        """The id of the cell's own session in Spark Connect."""

    @property
    def names(self) -> Collection[str]:
        """The names of the run so far."""
        return self._names

    def give(self, frame: DataFrame) -> str:
        """Register a frame for the client under a new name, and return the name."""
        name = self.new_name()
        frame.createGlobalTempView(name)
        return name

    def new_name(self) -> str:
        """Return a name that cannot be guessed, for a result that the client will register."""
        name = f"whence_{secrets.token_hex(16)}"
        self._names.append(name)
        return name

    def take(self, name: str) -> DataFrame:
        """Return the frame that the client registered under a name."""
        return self._session.table(f"{_DATABASE}.{name}")

    def close(self) -> None:
        """Drop the names, and end the client's session with all that runs in it."""
        with contextlib.suppress(Py4JError, OSError):  # if Spark has died, the names have gone with it
            for name in self._names:
                self._session.catalog.dropGlobalTempView(name)
            _end_session(self._session, self.connect_session)


@dataclass(frozen=True)
class Reads:
    """What a frame reads: datasets that were shared with the cell, and a description of anything else."""

    given_datasets: tuple[DatasetId, ...]
    outside: tuple[str, ...]


def reads_of(frame: DataFrame, given: Iterable[tuple[DatasetRecord, str]]) -> Reads:
    """Return which of these datasets a frame reads, and what else. Each dataset comes with the folder of its rows.

    Literal rows and ranges in the query count as neither.
    """
    known: dict[tuple[str, ...], DatasetRecord] = {(f"file:{root}",): record for record, root in given}
    ours: dict[DatasetId, None] = {}
    outside = set()
    for leaf in leaves_of(frame._jdf.queryExecution().analyzed()):
        record = known.get(leaf.roots)
        if record is not None and _is_given(leaf, record):
            ours[record.id] = None
        elif leaf.kind not in _PLAIN:
            outside.add(f"files of {', '.join(leaf.roots)}" if leaf.roots else leaf.kind)
    return Reads(tuple(ours), tuple(sorted(outside)))


def has_local_rows(frame: DataFrame) -> bool:
    """Return whether a frame contains rows that came from Python."""
    return any(leaf.kind in _MADE_IN_PYTHON for leaf in leaves_of(frame._jdf.queryExecution().analyzed()))


def _is_given(leaf: Leaf, record: DatasetRecord) -> bool:
    """Return whether a leaf is exactly the scan that was shared: same columns and format, and no options."""
    is_plain = leaf.format == "ParquetFileFormat" and not set(leaf.options) - {"path"}
    return is_plain and leaf.columns == (*record.schema.names, OFFSET_COLUMN)


def _end_session(session: SparkSession, connect_session: str) -> None:
    """End the client's session in Spark Connect, which interrupts its running queries."""
    java: Any = session._jvm
    service = java.java.lang.Class.forName("org.apache.spark.sql.connect.service.SparkConnectService$")
    manager = service.getField("MODULE$").get(None).sessionManager()
    active = manager.listActiveSessions()
    for number in range(active.size()):
        info = active.apply(number)
        if str(info.sessionId()) == connect_session:
            key = java.org.apache.spark.sql.connect.service.SessionKey(info.userId(), info.sessionId())
            manager.closeSession(key)
