"""The values of a whole column as an Arrow array, with the errors of cells that failed."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from whence.notebook.sheet.convert import as_text
from whence.notebook.sheet.formula.errors import FormulaError
from whence.notebook.sheet.source import plain


@dataclass(frozen=True)
class ColumnValues:
    """The values by position, in the column's type. A cell that failed is null, and its error is in `errors`."""

    values: pa.Array
    errors: dict[int, FormulaError]

    def first_error(self, first: int, last: int) -> FormulaError | None:
        """Return the first error between two positions, both included."""
        place = min((each for each in self.errors if first <= each <= last), default=None)
        return None if place is None else self.errors[place]


def cast(values: pa.Array, kind: pa.DataType) -> pa.Array:
    """Return the values in another type, converted as single values are."""
    if values.type == kind:
        return values
    # Arrow writes numbers and times in its own way: a text must read the same in a page and in a whole column.
    if pa.types.is_string(kind) and (pa.types.is_floating(values.type) or pa.types.is_temporal(values.type)):
        return pa.array([None if each is None else as_text(plain(each)) for each in values.to_pylist()], kind)
    if pa.types.is_string(kind) and (pa.types.is_nested(values.type) or pa.types.is_binary(values.type)):
        return pa.array([None if each is None else as_text(each) for each in values.to_pylist()], kind)
    return pc.cast(values, kind)
