"""Scans of datasets in Spark: their Parquet files, with row ids and stored doubt flags if a rule asks for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyspark.sql import Column as SparkColumn
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - the name every PySpark user knows

from whence.engine.handles import Handles, NodeHandle
from whence.engine.masters import local_address
from whence.engine.script import Script
from whence.engine.vectors import holds_vectors, stored_type, with_vectors
from whence.engine.write_expr import ExprWriter
from whence.model.dataset import DatasetRecord, Doubt
from whence.model.ids import DatasetId
from whence.model.schema import INTERNAL_PREFIX, OFFSET_COLUMN
from whence.plan.expr import Column
from whence.plan.sql_text import quoted
from whence.plan.step import RangedColumns
from whence.plan.steps.scan import RID, Scan
from whence.store.store import Store

METADATA = "_metadata"
_EXPRESSIONS = "org.apache.spark.sql.catalyst.expressions"
_LOGICAL = "org.apache.spark.sql.catalyst.plans.logical"
_DATASOURCES = "org.apache.spark.sql.execution.datasources"

CHOSEN_COLUMN = f"{INTERNAL_PREFIX}chosen"

_RELATIONS_KEPT = 256

_FEW_RIDS = 200
"""Up to this many row ids are written into the query itself, as literals."""


StoredColumn = tuple[str, str]
"""Name and type of an internal column in the files of a dataset."""


def read_rows(
    session: SparkSession, record: DatasetRecord, path: Path, stored: tuple[StoredColumn, ...] = ()
) -> DataFrame:
    """Return the dataset's files as a frame: user columns, internal columns in `stored`, the offset of each file."""
    columns = [f"{quoted(field.name)} {stored_type(field.type)}" for field in record.schema]
    columns += [f"{quoted(name)} {stored_type(kind)}" for name, kind in stored]
    columns.append(f"{quoted(OFFSET_COLUMN)} bigint")
    ddl, vectors = ", ".join(columns), {field.name for field in record.schema if holds_vectors(field.type)}
    reader = with_vectors(session, session.read, ddl, vectors) if vectors else session.read.schema(ddl)
    return reader.parquet(local_address(path))


def user_columns(rows: DataFrame) -> DataFrame:
    """Return the rows without internal columns.

    Dropping them takes one call to Spark. Selecting the others would take one for each column.
    """
    return rows.drop(OFFSET_COLUMN, CHOSEN_COLUMN)


def row_id() -> SparkColumn:
    """Return the row id as an expression: the first row id of the file plus the row's position. It is not stored."""
    return F.col(OFFSET_COLUMN) + F.col(f"{METADATA}.row_index")


def only_rows(session: SparkSession, rows: DataFrame, rids: npt.NDArray[np.int64]) -> DataFrame:
    """Return the rows with these row ids. The list must not repeat one, as a join would then repeat the row."""
    if len(rids) <= _FEW_RIDS:
        return rows.where(row_id().isin(rids.tolist()))
    # A long list of literals takes Spark minutes to plan; a join with a table of ids does not.
    chosen = session.createDataFrame(pa.table({CHOSEN_COLUMN: rids}))
    return rows.join(F.broadcast(chosen), row_id() == F.col(CHOSEN_COLUMN))


def is_one_of(rids: Sequence[int], rows: int) -> SparkColumn:
    """Return the condition that a row has one of these row ids. A long list becomes a mask of one byte for each row.

    Spark plans one binary literal at once, but takes minutes for many numbers.
    """
    if len(rids) <= _FEW_RIDS:
        return row_id().isin(*rids)
    mask = np.zeros(rows, dtype=np.uint8)
    mask[np.array(rids)] = 1
    # SQL counts positions in a binary from 1.
    place = (row_id() + 1).cast("int")
    return F.call_function("substring", F.lit(mask.tobytes()), place, F.lit(1)) == F.lit(b"\x01")


def dataset_of(relation: Any) -> DatasetId | None:  # noqa: ANN401 - a JVM object
    """Return the dataset whose files a leaf of a plan reads; None if it reads other files."""
    roots = relation.relation().location().rootPaths()
    return dataset_in([roots.apply(number).toString() for number in range(roots.size())])


def dataset_in(roots: Sequence[str]) -> DatasetId | None:
    """Return the dataset whose files lie in the one folder given, `.../datasets/<id>/rows`; None for other folders."""
    match [root.rstrip("/").split("/") for root in roots]:
        case [[*_, "datasets", dataset, "rows"]]:
            return DatasetId(dataset)
    return None


class StoredFlags:
    """The doubt flags that scans read: the stored ones. A workspace overrides it with the flags that hold now."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def doubt(self, record: DatasetRecord) -> Doubt:
        """Return which columns carry a flag, and whether rows do."""
        return record.doubt

    def rows_path(self, record: DatasetRecord) -> Path:
        """Return the folder of the files that hold the rows with these flags."""
        return self._store.rows_path(record)

    def ranged_columns(self, record: DatasetRecord) -> RangedColumns:
        """Return the columns whose ranges can be read along: here none."""
        return RangedColumns()

    def compute_ranges(self, record: DatasetRecord) -> None:
        """Make sure that what can be told about the ranges of a dataset is at hand; its query may run for that."""

    def ranges_path(self, record: DatasetRecord) -> Path:
        """Return the folder of the files that hold the rows with these flags, and their ranges."""
        return self.rows_path(record)

    def range_states(self, datasets: Iterable[DatasetId]) -> list[str]:
        """Return what the ranges of these depend on: the acknowledged caveats behind them."""
        return []

    def states(self, datasets: Iterable[DatasetId]) -> dict[DatasetId, str]:
        """Return a text for each dataset whose flags differ from the stored ones. Other flags give another text."""
        return {}

    def table(self, record: DatasetRecord) -> pa.Table:
        """Return the flags of all rows: one boolean for each user column, and one for the row itself."""
        return self._store.flags(record)


class Relations:
    """A cache of Spark's file relations for datasets: listing files takes time, and a dataset's files never change."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, tuple[StoredColumn, ...]], Any] = {}

    def of(self, session: SparkSession, record: DatasetRecord, path: Path, stored: tuple[StoredColumn, ...]) -> Any:  # noqa: ANN401 - a JVM object
        """Return Spark's relation for the files under a path, with these stored internal columns."""
        key = str(path), stored
        if key not in self._known:
            rows = read_rows(session, record, path, stored)
            self._known[key] = rows._jdf.queryExecution().analyzed().relation()
            if len(self._known) > _RELATIONS_KEPT:
                self._known.pop(next(iter(self._known)))
        return self._known[key]

    def clear(self) -> None:
        """Drop all relations: they are objects of a Java process that has ended."""
        self._known.clear()


class ScanWriter:
    """Writes a scan that also reads internal columns, in place of the scan in the user's plan.

    The user's columns keep their attributes, so that nothing above needs to change, and nothing is asked of the Java
    process for a column that no rule adds.
    """

    def __init__(
        self,
        session: SparkSession,
        jvm: Script,
        store: Store,
        handles: Handles,
        flags: StoredFlags,
        relations: Relations,
    ) -> None:
        self._session = session
        self._relations = relations
        self._flags = flags
        self._jvm = jvm
        self._store = store
        self._handles = handles

    def __call__(self, step: Scan, exprs: ExprWriter) -> Any:  # noqa: ANN401
        """Return Spark's plan of the scan. Its columns have the ids that the rest of the plan reads."""
        leaf = self._handles.node(cast(NodeHandle, step.handle))
        if step.chosen_rids is not None:
            return self._scan_chosen_rows(step, leaf, exprs)
        if not step.internal_columns and step.other_rows is None:
            return leaf
        shown = leaf.output()
        stored = _stored_columns(step)
        attributes = {name: self._jvm.attribute(name, kind, True, self._jvm.new_expr_id()) for name, kind in stored}
        relation = self._with_stored(step, leaf, attributes) if stored or step.other_rows is not None else leaf
        named = []
        for column, name in step.internal_columns:
            if name == RID:
                relation = relation.withMetadataColumns()
                value = self._row_id(step, relation.output(), column.type)
            else:
                value = attributes[name]
                if _is_flag(column):
                    value = self._jvm.function("coalesce", [value, self._jvm.literal(False, "boolean")])
            named.append(exprs.name(column, value))
        columns = shown.appendedAll(self._jvm.seq(named))
        return self._jvm.make(f"{_LOGICAL}.Project", columns, relation)

    def _scan_chosen_rows(self, step: Scan, leaf: Any, exprs: ExprWriter) -> Any:  # noqa: ANN401
        """Return a scan of chosen rows. Spark analyses it anew, so its columns get the ids of the user's plan back."""
        stored = _stored_columns(step)
        record = self._store.by_id(step.dataset)
        rows = read_rows(self._session, record, self._flags.rows_path(record), stored)
        rows = only_rows(self._session, rows, cast("npt.NDArray[np.int64]", step.chosen_rids))
        wanted = [(column, column.name) for column in step.user_columns] + list(step.internal_columns)
        chosen = rows.select([_value(column, name).alias(f"c{n}") for n, (column, name) in enumerate(wanted)])
        plan = self._jvm.promise(chosen._jdf.queryExecution().analyzed())
        output, known = plan.output(), leaf.output()
        named = []
        for number, (column, _) in enumerate(wanted):
            value = output.apply(number)
            if number < len(step.user_columns):
                named.append(self._jvm.alias(value, column.name, known.apply(number).exprId()))
            else:
                named.append(exprs.name(column, value))
        return self._jvm.make(f"{_LOGICAL}.Project", self._jvm.seq(named), plan)

    def _with_stored(self, step: Scan, leaf: Any, attributes: dict[str, Any]) -> Any:  # noqa: ANN401
        """Return the same relation over the same rows, with stored internal columns added to its output."""
        record = self._store.by_id(step.dataset)
        path = self._rows_path(step, record) if step.other_rows is None else Path(step.other_rows)
        files = self._relations.of(self._session, record, path, _stored_columns(step))
        output = leaf.output().appendedAll(self._jvm.seq(list(attributes.values())))
        rest = [leaf.productElement(number) for number in range(2, self._jvm.value(leaf.productArity()))]
        return self._jvm.make(f"{_DATASOURCES}.LogicalRelation", files, output, *rest)

    def _rows_path(self, step: Scan, record: DatasetRecord) -> Path:
        return self._flags.ranges_path(record) if step.has_ranges else self._flags.rows_path(record)

    def _row_id(self, step: Scan, output: Any, type_name: str) -> Any:  # noqa: ANN401
        """Return the row id from attributes, not by name as `row_id`: a user may have a column called `_metadata`."""
        names = [column.name for column in step.user_columns]
        is_read = METADATA in names and METADATA not in step.positions
        metadata = output.apply(names.index(METADATA)) if is_read else output.last()
        field = metadata.dataType().fieldIndex("row_index")
        index = self._jvm.make(f"{_EXPRESSIONS}.GetStructField", metadata, field, self._jvm.none())
        offset = output.apply(names.index(OFFSET_COLUMN))
        return self._jvm.function(type_name, [self._jvm.function("+", [offset, index])])


def _stored_columns(step: Scan) -> tuple[StoredColumn, ...]:
    return tuple((name, column.type) for column, name in step.internal_columns if name != RID)


def _is_flag(column: Column) -> bool:
    """A flag that no row of a file has is not stored there."""
    return not column.nullable


def _value(column: Column, stored: str) -> SparkColumn:
    if stored == RID:
        return row_id().cast(column.type)
    if stored in (METADATA, OFFSET_COLUMN) or not stored.startswith(INTERNAL_PREFIX):
        return F.col(quoted(stored))
    return F.coalesce(F.col(stored), F.lit(False)) if _is_flag(column) else F.col(stored)
