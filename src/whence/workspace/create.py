"""Makes a dataset from rows, a frame or a table, and keeps doubts and lineage of frames that whence handed out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa

from whence.derive.from_code import CodeResult, derive_table
from whence.engine.engine import Engine
from whence.engine.frames import Frame
from whence.loading.create import CellCaveat, RowCaveat, columns_to_table, create, rows_to_table, state_caveats
from whence.loading.ddl import plain_schema
from whence.model.caveat import Caveat
from whence.model.dataset import DatasetRecord
from whence.model.errors import BadInput, UnknownDataset
from whence.model.schema import unique_names
from whence.store.types import with_collations
from whence.workspace.context import Context
from whence.workspace.frame_origin import find_origin, identify_rows


def create_dataset(
    context: Context,
    name: str,
    data: object,
    table: pa.Table,
    cell_caveats: Sequence[CellCaveat] = (),
    row_caveats: Sequence[RowCaveat] = (),
) -> DatasetRecord:
    """Store a table as a new dataset version.

    `data` is what the user passed. If it remembers the dataset it came from (`frame_origin`), the new version gets
    doubts and lineage from there.
    """
    origin = find_origin(data)
    if origin is None:
        return create(context.store, name, table, cell_caveats, row_caveats)
    try:
        record = context.store.by_id(origin.dataset)
    except UnknownDataset:  # a dataset of another workspace, or one that was forgotten since
        note = Caveat(f"Made from {origin.label} of another workspace; its doubts are not known here.", "lineage")
        return create(context.store, name, table, cell_caveats=cell_caveats, row_caveats=row_caveats, notes=[note])
    table = table.rename_columns(unique_names(table.column_names))
    stated = tuple(state_caveats(table.schema, table.num_rows, cell_caveats, row_caveats))
    rows = identify_rows(context.store, record, table, origin.rows)
    return derive_table(
        context.derive,
        CodeResult(name=name, table=table, read_datasets=[record], rows=rows, text="", stated_caveats=stated),
    )


def to_table(engine: Engine, data: object, schema: str | None) -> pa.Table:
    """Convert rows, a dict of columns, a pandas frame, Arrow or a Spark DataFrame to an Arrow table of this schema."""
    arrow = None if schema is None else plain_schema(schema) or engine.arrow_schema(schema)
    if isinstance(data, Frame):
        rows = engine.to_arrow(data)
        data = pa.Table.from_arrays(rows.columns, schema=with_collations(rows.schema, engine.types(data)))
    elif hasattr(data, "to_dict") and hasattr(data, "iloc"):  # a pandas frame, known without importing pandas
        data = pa.Table.from_pandas(data, preserve_index=False)
    if isinstance(data, pa.Table):
        return data if arrow is None else data.rename_columns(arrow.names).cast(arrow)
    if isinstance(data, Mapping):
        return columns_to_table(data, arrow)
    if not isinstance(data, Sequence) or isinstance(data, str | bytes):
        hint = "Give rows, a dict of columns, pandas, Arrow or Spark."
        raise BadInput(f"A dataset cannot be made from {type(data).__name__}.", hint)
    if arrow is None:
        raise BadInput("Rows need a schema.", 'For example: schema="id int, x double".')
    return rows_to_table(data, arrow)
