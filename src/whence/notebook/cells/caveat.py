"""The `caveat` cell kind: states a caveat on rows or on cells of a column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from whence.derive.state import Statement, state
from whence.engine.sql_functions import End
from whence.model.dataset import DatasetRecord
from whence.model.errors import BadInput, UserError
from whence.model.parameter import Parameter
from whence.notebook.cell import CellContext, CellKind, CellResult, Values, names_in
from whence.notebook.cells.query import NAME, SOURCE, looks_at_marks
from whence.notebook.footprint import Footprint

Range = tuple[End, End]


class CaveatCell(CellKind):
    """Put a caveat on some rows, or on some of their cells, with the reason. The values stay."""

    name = "caveat"
    title = "Comment with a caveat"
    group = "Clean"
    parameters = (
        SOURCE,
        Parameter("message", "text", "why it is in doubt", is_required=True),
        Parameter("column", "column", "the column in doubt; whole rows if left open"),
        Parameter("where", "condition", "a condition in SQL for the rows in doubt; all if left open"),
        Parameter("low", "value", "the least value that the cells can have, if that is known"),
        Parameter("high", "value", "the greatest value that the cells can have, if that is known"),
        replace(NAME, is_required=False, label="what to call the result; the same name if left open"),
    )

    def footprint(self, values: Values) -> Footprint:
        reads = names_in(values, "source")
        writes = names_in(values, "name") or reads
        return Footprint(reads, writes, is_exact=True, reads_marks=looks_at_marks(values))

    def run(self, context: CellContext, values: Values) -> CellResult:
        record = context.dataset(values["source"])
        where, column = (str(values[each]) if values.get(each) else None for each in ("where", "column"))
        stated = _stated_range(context, record, column, (values.get("low"), values.get("high")))
        statement = Statement(record, where, column, str(values["message"]), stated)
        return CellResult.of(state(context.derive, statement, str(values.get("name") or record.name)))


def _stated_range(context: CellContext, record: DatasetRecord, column: str | None, ends: Sequence[object]) -> Range:
    """Return the ends, which a form gives as JSON, as values of the column."""
    given = [None if end == "" else end for end in ends]
    if given == [None, None]:
        return None, None
    if column is None:
        raise UserError("A range is stated about cells, and this caveat names no column.", "Name the column.")
    field = context.store.read(record, 0, 0, [column]).schema.field(0)
    low, high = (None if end is None else _as_value(field, end) for end in given)
    if low is not None and high is not None and pc.greater(low, high).as_py():
        raise BadInput(f"No {column} lies between {low} and {high}.", "Give the least value first.")
    return (None if low is None else low.as_py(), None if high is None else high.as_py())


def _as_value(field: pa.Field, end: object) -> pa.Scalar:
    try:
        return pa.scalar(str(end)).cast(field.type)
    except pa.ArrowException as error:
        raise BadInput(
            f"{end!r} is no end of a range of column {field.name}, which holds {field.type}.",
            "Give a value that the column can hold.",
        ) from error
