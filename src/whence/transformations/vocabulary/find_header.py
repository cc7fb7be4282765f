"""Take the names of columns from a row."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from whence.model.caveat import Caveat
from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.model.schema import INTERNAL_PREFIX, unique_names
from whence.transformations.arguments import Arguments
from whence.transformations.header import find_header
from whence.transformations.input_table import RID, InputTable
from whence.transformations.plan import Output, RowFilter, TransformationPlan
from whence.transformations.sql import quoted
from whence.transformations.suggestion import Suggestion, TableLook
from whence.transformations.transformation import Transformation

_LOOKED_AT = 100
_UNNAMED = re.compile(r"column_\d+|_?c\d+|unnamed.*|\d+", re.IGNORECASE)


class FindHeader(Transformation):
    """Name the columns after a row of words near the top; leave out that row and those above it."""

    name = "find_header"
    title = "Find the header"
    group = "Clean"
    pattern = "selection"
    provenance = "cells that stay are themselves; those of the rows left out are deleted"
    names_columns = True
    guesses = "the rows left out, unless you say which row is the header: they might belong after all"
    parameters = (
        Parameter("row", "whole", "the row that names the columns, from 0; looked for if left open", least=0),
    )
    example = {"row": 2}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        rows = table.head(_LOOKED_AT if not arguments.has("row") else arguments.integer("row") + 1)
        row = arguments.integer("row") if arguments.has("row") else find_header([list(each.values()) for each in rows])
        if row is None:
            raise UserError(
                f"No row of {table.label} looks like a header.", "Say which one it is with row=, or load as text."
            )
        if not 0 <= row < table.rows:
            raise UserError(f"{table.label} has no row {row}.", f"It has {table.rows} rows.")
        old = table.schema.names
        names = _names(old, rows[row])
        sentence = f"Row {row} names the columns; it and the {row} rows above it are left out."
        outputs = tuple(Output(new, quoted(name)) for new, name in zip(names, old, strict=True))
        learned = {"row": row, "names": names}
        renamed = {name: new for name, new in zip(old, names, strict=True) if name != new}
        place = table.rid_at(row)
        row_filter = RowFilter(f"{RID} > {place}", (), words=f"the row stands below row {row}, the header")
        if arguments.has("row"):
            return TransformationPlan(sentence, outputs, learned=learned, row_filter=row_filter, renamed=renamed)
        note = Caveat(
            f"Row {row} of {table.label} looks like a header, so it and what is above are left out.", "header"
        )
        # The header is a guess here, so the rows left out might belong after all.
        row_filter = replace(row_filter, doubt=f"{RID} <= {place}")
        return TransformationPlan(
            sentence, outputs, learned=learned, row_filter=row_filter, renamed=renamed, notes=(note,)
        )

    def suggest_for_table(self, look: TableLook) -> Iterator[Suggestion]:
        row = find_header(look.rows[:_LOOKED_AT]) if len(look.rows) > 1 else None
        unnamed = sum(bool(_UNNAMED.fullmatch(name)) for name in look.schema.names)
        if row is not None and 2 * unnamed > len(look.schema):
            yield Suggestion(self.name, f"Most columns have no name, and row {row} looks like a header.")


def _names(old: tuple[str, ...], row: dict[str, object]) -> list[str]:
    """Return the names in the row; a column without one keeps its name."""
    found = [str(row[name] or "").strip() or name for name in old]
    # Columns with this prefix are internal and never shown.
    return unique_names([name.removeprefix(INTERNAL_PREFIX) for name in found])
