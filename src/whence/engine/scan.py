"""Reads a dataset's Parquet as Spark sees it, with row ids and stored marks when a rule asks for them."""

from __future__ import annotations

from typing import Any, cast

from pyspark.sql import Column as SparkColumn
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - the name every PySpark user knows

from whence.engine.handles import Handles, NodeHandle
from whence.engine.jvm import Jvm
from whence.engine.write_expr import ExprWriter
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.model.schema import INTERNAL_PREFIX, OFFSET_COLUMN
from whence.plan.expr import Column
from whence.plan.steps.scan import RID, Scan
from whence.store.store import Store

METADATA = "_metadata"


def read_rows(session: SparkSession, store: Store, record: DatasetRecord, stored: tuple[str, ...] = ()) -> DataFrame:
    """The dataset's files with the user's columns, these stored internal columns and the offset of each file."""
    columns = [f"{_quoted(field.name)} {field.type}" for field in record.schema]
    columns += [f"{_quoted(name)} boolean" for name in stored]
    columns.append(f"{_quoted(OFFSET_COLUMN)} bigint")
    return session.read.schema(", ".join(columns)).parquet(str(store.rows_path(record)))


def user_columns(rows: DataFrame, record: DatasetRecord) -> DataFrame:
    """Only what the user knows of."""
    return rows.select([F.col(_quoted(field.name)) for field in record.schema])


def row_id() -> SparkColumn:
    """The rid: the first rid of the file plus the row's place in it. Nothing is stored for it."""
    return F.col(OFFSET_COLUMN) + F.col(f"{METADATA}.row_index")


def dataset_of(relation: Any) -> DatasetId | None:  # noqa: ANN401 - a JVM object
    """The dataset whose files this leaf of a plan reads: they lie in `datasets/<id>/rows`."""
    roots = relation.relation().location().rootPaths()
    if roots.size() != 1:
        return None
    parts = roots.apply(0).toString().rstrip("/").split("/")
    return DatasetId(parts[-2]) if parts[-1] == "rows" and parts[-3] == "datasets" else None


class ScanWriter:
    """Puts a scan that also reads internal columns in the place of the one the user's plan has."""

    def __init__(self, session: SparkSession, jvm: Jvm, store: Store, handles: Handles) -> None:
        self._session = session
        self._jvm = jvm
        self._store = store
        self._handles = handles

    def __call__(self, step: Scan, exprs: ExprWriter) -> Any:  # noqa: ANN401
        """The plan of the scan, whose columns have the ids that the rest of the plan reads."""
        record = self._store.by_id(step.dataset)
        stored = tuple(name for _, name in step.stored if name != RID)
        rows = read_rows(self._session, self._store, record, stored)
        wanted = [(column, column.name) for column in step.shown] + list(step.stored)
        chosen = rows.select([_value(column, name).alias(f"c{n}") for n, (column, name) in enumerate(wanted)])
        plan = chosen._jdf.queryExecution().analyzed()
        output = plan.output()
        known = self._handles.node(cast(NodeHandle, step.handle)).output()
        named = []
        for number, (column, _) in enumerate(wanted):
            value = output.apply(number)
            if number < len(step.shown):
                named.append(self._jvm.alias(value, column.name, known.apply(number).exprId()))
            else:
                named.append(exprs.name(column, value))
        return self._jvm.make("org.apache.spark.sql.catalyst.plans.logical.Project", self._jvm.seq(named), plan)


def _value(column: Column, stored: str) -> SparkColumn:
    if stored == RID:
        return row_id().cast(column.type)
    if stored in (METADATA, OFFSET_COLUMN) or not stored.startswith(INTERNAL_PREFIX):
        return F.col(_quoted(stored))
    return F.coalesce(F.col(stored), F.lit(False))


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
