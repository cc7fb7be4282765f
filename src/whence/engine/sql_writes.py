"""Reads what a SQL statement of a program will write: the tables or folders, and the frame of the rows of each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.sql_formatter import SQLStringFormatter

from whence.engine.java_class import java_constructor, new_java_object

_MAY_WRITE = re.compile(r"\b(insert|table)\b", re.IGNORECASE)
"""Every statement that writes the rows of a query has one of these words."""


@dataclass(frozen=True)
class SqlWrite:
    """One table or folder that a statement writes, and the rows as they will stand there."""

    frame: DataFrame
    path: str | None = None
    table: str | None = None


@dataclass(frozen=True)
class WritingStatement:
    """A statement that was analyzed, and has not run yet.

    Whoever keeps its rows runs this very plan: each analysis gives a random function without a seed another one.
    """

    session: SparkSession
    plan: Any
    writes: tuple[SqlWrite, ...]

    def run(self) -> DataFrame:
        """Run the statement, and return the frame that `spark.sql` returns."""
        return DataFrame(_java(self.session).run(self.plan), self.session)


def may_write(text: str) -> bool:
    """Whether a statement could write rows. Most cannot, and need not be parsed twice."""
    return _MAY_WRITE.search(text) is not None


def read_statement(
    session: SparkSession, text: str, explain: Callable[[str], DataFrame] | None = None
) -> WritingStatement | None:
    """Return a statement that writes rows of a query; None for any other.

    `explain` runs EXPLAIN of a statement with parameters: there Spark has put them in.
    """
    java = _java(session)
    parsed = java.parsed(text) if explain is None else java.explained(explain(f"EXPLAIN {text}")._jdf)
    targets = java.targets(parsed)
    if not targets:
        return None
    plan = java.analyzed(parsed)
    frames = [DataFrame(java.run(query), session) for query in java.queries(plan)]
    if len(frames) != len(targets):
        return None
    writes = [SqlWrite(frame, **{str(kind): str(name)}) for frame, (kind, name) in zip(frames, targets, strict=True)]
    return WritingStatement(session, plan, tuple(writes))


def inserted_rows(frame: DataFrame, table: str) -> DataFrame:
    """Return the rows of a frame as `insertInto` writes them: by position, with the columns of the table."""
    session = frame.sparkSession
    name = f"whence_{uuid4().hex}"
    frame.createTempView(name)
    try:
        statement = read_statement(session, f"INSERT INTO {table} SELECT * FROM {name}")
    finally:
        # `dropTempView` of the public catalog would also drop what is cached of the frame.
        session._jsparkSession.sessionState().catalog().dropTempView(name)
    return frame if statement is None else statement.writes[0].frame


@contextmanager
def filled_in(session: SparkSession, text: str, values: Mapping[str, object]) -> Iterator[str]:
    """Give a statement with its {placeholders} filled in, as `spark.sql` does it. Frames are views in the block."""
    formatter = SQLStringFormatter(session)
    filled = formatter.format(text, **values) if values else text
    try:
        yield filled
    finally:
        formatter.clear()


def _java(session: SparkSession) -> Any:  # noqa: ANN401 - a JVM object
    return new_java_object(session, java_constructor(session, "SqlWrites"), session._jsparkSession)
