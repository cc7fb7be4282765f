"""Reads and writes tables that are not datasets: those of Spark's catalog, and of databases through JDBC."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from whence.engine.errors import translate_errors
from whence.model.errors import BadQuery


def catalog_table(session: SparkSession, name: str) -> DataFrame:
    """Return a table of the catalog by its name, such as `db.t`."""
    with translate_errors():
        return session.table(name)


def table_version(session: SparkSession, name: str) -> str | None:
    """Return the table's current snapshot (Iceberg) or version (Delta); None for formats that have neither."""
    for query in (
        f"select snapshot_id v from {name}.snapshots order by committed_at desc limit 1",
        f"select version v from (describe history {name} limit 1)",
    ):
        # Only a table of the right format has such a query; for others Spark refuses it.
        with suppress(PySparkException):
            return str(session.sql(query).collect()[0].v)
    return None


def jdbc_table(session: SparkSession, url: str, table: str, options: Mapping[str, str]) -> DataFrame:
    """Return a table of a database. The options hold credentials, and are only passed on to Spark."""
    try:
        return session.read.format("jdbc").options(url=url, dbtable=table, **options).load()
    except Py4JJavaError as error:
        # No cause: the traceback of the Java error could show credentials.
        raise BadQuery(str(error.java_exception.toString()).splitlines()[0]) from None


def save_table(frame: DataFrame, name: str, mode: str) -> None:
    """Write rows to a table of the catalog."""
    with translate_errors():
        frame.write.mode(mode).saveAsTable(name)
