"""Spark without whence: the same text over plain views of the same data, in as many worlds as asked, in one query."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import ArrayType, DataType, MapType, StructType, VariantType, VariantVal

from tests.oracles.analyst_tables import SCHEMAS, Cell, Database
from tests.oracles.analyst_writer import WrittenQuery

Value = Any
Row = tuple[Value, ...]
World = Mapping[str, str]
"""Queries that stand for some of the tables."""

SETTINGS = {
    # Tiny queries: interpreted, one after another.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.autoBroadcastJoinThreshold": "-1",
}

_TABLES = re.compile(rf"\b(?:{'|'.join(SCHEMAS)})\b")
_MADE_NAMES = re.compile(r"\b(?:fn|view)_c\d+\b")


class PlainSpark:
    """Runs queries over one database, in a session that knows no workspace."""

    def __init__(self, spark: SparkSession, database: Database) -> None:
        self._session = spark.newSession()
        for name, value in SETTINGS.items():
            self._session.conf.set(name, value)
        for table in SCHEMAS:
            self._session.sql(database.query(table)).createTempView(f"all_{table}")
        self._views: dict[str, str] = {}

    def frame(self, table: str) -> DataFrame:
        """A table as a frame, in the order of its rows."""
        return self._session.sql(f"select {', '.join(SCHEMAS[table])} from all_{table} order by rid")

    def run(self, query: WrittenQuery, worlds: Sequence[World]) -> list[list[Row]]:
        """The rows of the query in each world."""
        branches = [self._prepare(query, number, world) for number, world in enumerate(worlds)]
        frame = self._session.sql(" union all ".join(branches), dict(query.arguments) or None)
        return _apart(frame, len(worlds))

    def _prepare(self, query: WrittenQuery, number: int, world: World) -> str:
        """The text over views of this world."""
        views = {table: self._view(table, world.get(table) or whole_table(table)) for table in query.tables}

        def in_this_world(text: str) -> str:
            return _MADE_NAMES.sub(lambda found: f"{found[0]}__{number}", rename_tables(text, views))

        for statement in query.statements:
            self._session.sql(in_this_world(statement))
        return f"select {number} as world, q.* from ({in_this_world(query.text)}) q"

    def _view(self, table: str, rows: str) -> str:
        """The view of these rows, which all worlds share that have them.

        Spark keeps what it found out about a frame, where it would parse the text of a view again at every use.
        """
        if rows not in self._views:
            name = f"{table}__{len(self._views)}"
            self._session.sql(rows).createTempView(name)
            self._views[rows] = name
        return self._views[rows]


def rename_tables(text: str, names: Mapping[str, str]) -> str:
    """A text over other tables."""
    return _TABLES.sub(lambda found: names.get(found[0], found[0]), text)


def whole_table(table: str) -> str:
    """A table as it is."""
    return f"select {', '.join(SCHEMAS[table])} from all_{table}"


def only_rows(table: str, rids: Sequence[int]) -> str:
    """A table cut down to some rows."""
    listed = ", ".join(map(str, rids)) or "-1"
    return f"select {', '.join(SCHEMAS[table])} from all_{table} where rid in ({listed})"


def with_value(cell: Cell, literal: str) -> str:
    """A table with another value in one cell."""
    kind = SCHEMAS[cell.table][cell.column]
    columns = [
        f"if(rid = {cell.row}, cast({literal} as {kind}), {name}) as {name}" if name == cell.column else name
        for name in SCHEMAS[cell.table]
    ]
    return f"select {', '.join(columns)} from all_{cell.table}"


def _apart(frame: DataFrame, count: int) -> list[list[Row]]:
    fields = frame.schema.fields[1:]
    found: list[list[Row]] = [[] for _ in range(count)]
    for row in frame.collect():
        values = zip(row[1:], fields, strict=True)
        found[row[0]].append(tuple(comparable(value, field.dataType) for value, field in values))
    return found


def comparable(value: Value, kind: DataType) -> Value:
    """A value of Spark's or of Arrow's as one that can be compared and hashed."""
    match kind:
        case _ if value is None:
            return None
        case ArrayType():
            return tuple(comparable(each, kind.elementType) for each in value)
        case MapType():
            pairs = value.items() if isinstance(value, dict) else value
            return frozenset((key, comparable(each, kind.valueType)) for key, each in pairs)
        case StructType():
            return tuple(comparable(value[field.name], field.dataType) for field in kind.fields)
        case VariantType():
            return (value if isinstance(value, VariantVal) else VariantVal(**value)).toJson()
    return value
