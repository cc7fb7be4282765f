"""Collects a frame as an Arrow table, even if a struct or variant with non-nullable fields is NULL."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.pandas.types import to_arrow_schema


def collect_table(frame: DataFrame) -> pa.Table:
    """Return all rows of a frame, in its order, as `toArrow` does; but `toArrow` raises an error for such NULLs."""
    collect: Any = frame._collect_as_arrow  # PySpark's stubs do not know it, and take it for a column
    batches = collect(empty_list_if_zero_records=False)
    fields = to_arrow_schema(frame.schema, timezone="UTC")
    return pa.Table.from_batches(batches).cast(pa.schema([each.with_type(_nullable(each.type)) for each in fields]))


def _nullable(kind: pa.DataType) -> pa.DataType:
    """Return the type with all its inner fields nullable."""
    if pa.types.is_struct(kind):
        return pa.struct([each.with_nullable(True).with_type(_nullable(each.type)) for each in kind])
    if pa.types.is_list(kind):
        return pa.list_(_nullable(kind.value_type))
    if pa.types.is_map(kind):
        return pa.map_(kind.key_type, _nullable(kind.item_type))
    return kind
