"""Collects a frame as an Arrow table, even if a struct or variant with non-nullable fields is NULL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.pandas.types import to_arrow_schema

Collect = Callable[[DataFrame], Sequence[pa.RecordBatch]]
"""Runs a frame and returns its rows in order, in no batch if there are none."""


def collect_by_pyspark(frame: DataFrame) -> Sequence[pa.RecordBatch]:
    """Run a frame and return its rows as `toArrow` does."""
    collect: Any = frame._collect_as_arrow  # PySpark's stubs do not know it, and take it for a column
    batches: Sequence[pa.RecordBatch] = collect()
    return batches


def collect_table(frame: DataFrame, collect: Collect = collect_by_pyspark) -> pa.Table:
    """Return all rows of a frame, in its order, as `toArrow` does; but `toArrow` raises an error for such NULLs."""
    fields = to_arrow_schema(frame.schema, timezone="UTC")
    schema = pa.schema([each.with_type(_nullable(each.type)) for each in fields])
    batches = collect(frame)
    return pa.Table.from_batches(batches).cast(schema) if batches else schema.empty_table()


def _nullable(kind: pa.DataType) -> pa.DataType:
    """Return the type with all its inner fields nullable."""
    if pa.types.is_struct(kind):
        return pa.struct([each.with_nullable(True).with_type(_nullable(each.type)) for each in kind])
    if pa.types.is_list(kind):
        return pa.list_(_nullable(kind.value_type))
    if pa.types.is_map(kind):
        return pa.map_(kind.key_type, _nullable(kind.item_type))
    return kind
