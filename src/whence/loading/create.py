"""Creates a dataset from rows in memory, with the caveats that the user states about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa

from whence.model.caveat import Caveat
from whence.model.dataset import DatasetRecord, Doubt
from whence.model.errors import BadInput, UnknownColumn, UnknownRow
from whence.model.schema import ROW_FLAG_COLUMN, Schema, flag_column, unique_names
from whence.store.draft import Draft
from whence.store.parts import write_table
from whence.store.store import Store
from whence.store.types import schema_of, storable

CellCaveat = tuple[int, str, str]
"""Row, column, message."""
RowCaveat = tuple[int, str]
"""Row, message."""


def create(
    store: Store,
    name: str,
    table: pa.Table,
    cell_caveats: Sequence[CellCaveat] = (),
    row_caveats: Sequence[RowCaveat] = (),
    notes: Sequence[Caveat] = (),
) -> DatasetRecord:
    """Store a table as a dataset. Row i of the table gets row id i. Notes are caveats about the whole dataset."""
    table = storable(table.rename_columns(unique_names(table.column_names)))
    schema = schema_of(table.schema)
    caveats = state_caveats(schema.names, table.num_rows, cell_caveats, row_caveats)
    run = store.begin("create", name)
    try:
        parts = write_table(run.staging, _with_flags(table, schema, caveats))
        doubt = Doubt(
            frozenset(caveat.column for caveat in caveats if caveat.column is not None),
            any(caveat.column is None for caveat in caveats),
        )
        return store.publish(run, Draft(schema, parts, "", doubt=doubt, caveats=(*caveats, *notes)))
    except BaseException as error:
        store.abandon(run, str(error) or type(error).__name__)
        raise


def state_caveats(
    columns: Sequence[str], rows: int, cell_caveats: Sequence[CellCaveat], row_caveats: Sequence[RowCaveat]
) -> list[Caveat]:
    """Return the caveats that a user states about rows and cells. Raise an error if a place does not exist."""
    caveats = [Caveat(why, "user", row, column) for row, column, why in cell_caveats]
    caveats += [Caveat(why, "user", row) for row, why in row_caveats]
    for caveat in caveats:
        if caveat.column is not None and caveat.column not in columns:
            raise UnknownColumn(f"There is no column {caveat.column}.", f"The columns are {', '.join(columns)}.")
        if caveat.row is None or not 0 <= caveat.row < rows:
            raise UnknownRow(f"There is no row {caveat.row}.", f"Rows are 0 to {rows - 1}.")
    return caveats


def rows_to_table(data: Sequence[object], schema: pa.Schema) -> pa.Table:
    """Return rows, given as tuples or dictionaries, as a table with this schema."""
    names = schema.names
    columns: dict[str, list[object]] = {field: [] for field in names}
    for number, row in enumerate(data):
        values = _values(number, row, names)
        for field, value in zip(names, values, strict=True):
            columns[field].append(value)
    arrays = [_column(columns[field.name], field) for field in schema]
    return pa.Table.from_arrays(arrays, schema=schema)


def _values(number: int, row: object, names: list[str]) -> list[object]:
    if isinstance(row, Mapping):
        return [row.get(name) for name in names]
    values = list(row) if isinstance(row, Sequence) and not isinstance(row, str | bytes) else [row]
    if len(values) != len(names):
        raise BadInput(f"Row {number} has {len(values)} values, but the schema has {len(names)} columns.")
    return values


def _column(values: list[object], field: pa.Field) -> pa.Array:
    try:
        return pa.array(values, field.type)
    except (pa.ArrowException, ValueError, TypeError, OverflowError) as error:
        raise BadInput(f"Column {field.name} does not hold {field.type}: {error}") from error


def _with_flags(table: pa.Table, schema: Schema, caveats: list[Caveat]) -> pa.Table:
    for position, name in enumerate(schema.names):
        rows = {caveat.row for caveat in caveats if caveat.column == name}
        if rows:
            table = table.append_column(flag_column(position), pa.array([row in rows for row in range(len(table))]))
    rows = {caveat.row for caveat in caveats if caveat.column is None}
    if rows:
        table = table.append_column(ROW_FLAG_COLUMN, pa.array([row in rows for row in range(len(table))]))
    return table
