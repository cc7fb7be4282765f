"""Writes the output of an operator, rows or cells with doubt flags, into the staging folder of its run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from whence.arrays.arrays import VALUE, checked, schema, write_tiles
from whence.arrays.inherited import InheritedDoubt
from whence.model.lazy_module import LazyModule
from whence.model.schema import ROW_FLAG_COLUMN, Schema, flag_column, unique_names
from whence.store.parts import PartFile, write_table
from whence.store.types import schema_of, storable

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")


@dataclass(frozen=True)
class Output:
    """The written output of an operator; `values` names the columns that hold values, not coordinates."""

    columns: Schema
    parts: tuple[PartFile, ...]
    documents: Mapping[str, object]
    values: tuple[str, ...]


def write_output(staging: Path, output: Any, found: InheritedDoubt) -> Output:  # noqa: ANN401 - an array or a frame
    """Write an array as a dataset of cells, or a frame as a dataset of rows."""
    if isinstance(output, pd.DataFrame):
        return _rows(staging, output, found)
    cells, form = checked(output)
    columns = schema(form)
    flags = flag_columns(columns, (VALUE,), found)
    parts = write_tiles(staging, cells, form, pa.table(flags) if flags else None)
    return Output(columns, parts, form.documents(is_source=False), (VALUE,))


def _rows(staging: Path, frame: pd.DataFrame, found: InheritedDoubt) -> Output:
    table = pa.Table.from_pandas(frame, preserve_index=False)
    table = storable(table.rename_columns(unique_names([str(name) for name in table.column_names])))
    columns = schema_of(table.schema)
    for name, column in flag_columns(columns, columns.names, found).items():
        table = table.append_column(name, column)
    return Output(columns, write_table(staging, table), {}, columns.names)


def flag_columns(columns: Schema, doubtful: Sequence[str], found: InheritedDoubt) -> dict[str, pa.Array]:
    """Return the columns of doubt flags that are stored beside the values, by name."""
    flags: dict[str, pa.Array] = {}
    if found.values is not None:
        flags |= {flag_column(columns.names.index(name)): pa.array(found.values) for name in doubtful}
    if found.rows is not None:
        flags[ROW_FLAG_COLUMN] = pa.array(found.rows)
    return flags
