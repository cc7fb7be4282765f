"""Creates a dataset from rows or columns in memory, with the caveats that the user states about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set, Sized

import pyarrow as pa
import pyarrow.compute as pc

from whence.model.caveat import Caveat
from whence.model.dataset import DatasetRecord, Doubt
from whence.model.errors import BadInput, UnknownColumn, UnknownRow
from whence.model.schema import ROW_FLAG_COLUMN, Schema, flag_column, unique_names
from whence.store.draft import Draft
from whence.store.parts import write_table
from whence.store.store import Store
from whence.store.types import schema_of, storable

StatedRange = tuple[object, object]
"""The least and the greatest value that a cell can have; None where that is not known."""
CellCaveat = tuple[int, str, str] | tuple[int, str, str, StatedRange]
"""Row, column, message, and between which values the cell lies, if that is known."""
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
    caveats = state_caveats(table.schema, table.num_rows, cell_caveats, row_caveats)
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
    schema: pa.Schema, rows: int, cell_caveats: Sequence[CellCaveat], row_caveats: Sequence[RowCaveat]
) -> list[Caveat]:
    """Return the caveats that a user states about rows and cells. Raise an error if a place does not exist."""
    columns = schema.names
    caveats = [_cell_caveat(schema, *each) for each in cell_caveats]
    caveats += [Caveat(why, "user", row) for row, why in row_caveats]
    for caveat in caveats:
        if caveat.column is not None and caveat.column not in columns:
            raise UnknownColumn(f"There is no column {caveat.column}.", f"The columns are {', '.join(columns)}.")
        if caveat.row is None or not 0 <= caveat.row < rows:
            raise UnknownRow(f"There is no row {caveat.row}.", f"Rows are 0 to {rows - 1}.")
    return caveats


def _cell_caveat(schema: pa.Schema, row: int, column: str, why: str, stated: StatedRange = (None, None)) -> Caveat:
    if stated == (None, None) or column not in schema.names:
        return Caveat(why, "user", row, column)
    low, high = (range_end(schema.field(column), end) for end in stated)
    if (
        low is not None
        and high is not None
        and pc.greater(*(pa.scalar(e, schema.field(column).type) for e in stated)).as_py()
    ):
        raise BadInput(f"No {column} lies between {low} and {high}.", "Give the least value first.")
    return Caveat(why, "user", row, column, low=low, high=high)


def range_end(field: pa.Field, end: object) -> str | None:
    """An end of a range as text; raise if no value of the column is like it."""
    try:
        value = pa.scalar(end, field.type)
        return value.cast(pa.string()).as_py() if value.is_valid else None
    except (pa.ArrowException, ValueError, TypeError, OverflowError) as error:
        hint = "Give the least and the greatest value, as (low, high)."
        raise BadInput(
            f"{end!r} is no end of a range of column {field.name}, which holds {field.type}.", hint
        ) from error


def rows_to_table(data: Sequence[object], schema: pa.Schema) -> pa.Table:
    """Return rows, given as tuples or dictionaries, as a table with this schema."""
    names = schema.names
    columns: dict[str, list[object]] = {field: [] for field in names}
    for number, row in enumerate(data):
        values = _values(number, row, names)
        for field, value in zip(names, values, strict=True):
            columns[field].append(value)
    arrays = [_column(field.name, columns[field.name], field.type) for field in schema]
    return pa.Table.from_arrays(arrays, schema=schema)


def columns_to_table(data: Mapping[object, object], schema: pa.Schema | None) -> pa.Table:
    """Return columns, given as a dictionary of lists or arrays, as a table. Without a schema, values give the types."""
    columns = {str(name): _values_of_column(str(name), values) for name, values in data.items()}
    _check_columns(columns, schema)
    if schema is None:
        return pa.table({name: _column(name, values, None) for name, values in columns.items()})
    arrays = [_column(field.name, columns[field.name], field.type) for field in schema]
    return pa.Table.from_arrays(arrays, schema=schema)


def _values_of_column(name: str, values: object) -> Sized:
    if isinstance(values, Sized) and not isinstance(values, str | bytes | Mapping | Set):
        return values
    raise BadInput(f"Column {name} is a {type(values).__name__}.", "Give a list of values for each column, or rows.")


def _check_columns(columns: Mapping[str, Sized], schema: pa.Schema | None) -> None:
    """Raise an error unless the columns are equally long, and those of the schema."""
    if not columns:
        raise BadInput("A dataset needs a column.")
    if schema is not None and set(schema.names) != set(columns):
        given, wanted = ", ".join(columns), ", ".join(schema.names)
        raise BadInput(f"The columns are {given}, but the schema has {wanted}.")
    if len({len(values) for values in columns.values()}) > 1:
        lengths = ", ".join(f"{name} has {len(values):,}" for name, values in columns.items())
        raise BadInput(f"Columns must have as many values as each other: {lengths}.")


def _values(number: int, row: object, names: list[str]) -> list[object]:
    if isinstance(row, Mapping):
        return [row.get(name) for name in names]
    values = list(row) if isinstance(row, Sequence) and not isinstance(row, str | bytes) else [row]
    if len(values) != len(names):
        raise BadInput(f"Row {number} has {len(values)} values, but the schema has {len(names)} columns.")
    return values


def _column(name: str, values: Sized, kind: pa.DataType | None) -> pa.Array | pa.ChunkedArray:
    try:
        if isinstance(values, pa.Array | pa.ChunkedArray):
            return values if kind is None else values.cast(kind)
        return pa.array(values, kind)
    except (pa.ArrowException, ValueError, TypeError, OverflowError) as error:
        raise BadInput(f"Column {name} does not hold {kind or 'values of one type'}: {error}") from error


def _with_flags(table: pa.Table, schema: Schema, caveats: list[Caveat]) -> pa.Table:
    for position, name in enumerate(schema.names):
        rows = {caveat.row for caveat in caveats if caveat.column == name}
        if rows:
            table = table.append_column(flag_column(position), pa.array([row in rows for row in range(len(table))]))
    rows = {caveat.row for caveat in caveats if caveat.column is None}
    if rows:
        table = table.append_column(ROW_FLAG_COLUMN, pa.array([row in rows for row in range(len(table))]))
    return table
