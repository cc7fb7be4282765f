"""Choose, rename and compute columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from whence.model.errors import UserError
from whence.notebook.cell import CellContext, Values
from whence.notebook.cells.query import NAME, SOURCE, QueryKind, column_of, columns_of, quoted
from whence.notebook.parameter import Parameter


class Project(QueryKind):
    """Some columns, some of them under new names, and new ones computed from them."""

    name = "project"
    title = "Choose columns"
    parameters = (
        SOURCE,
        Parameter("columns", "columns", "the columns to keep, in order; all if left open", is_required=False),
        Parameter("rename", "mapping", "old names with new ones", is_required=False),
        Parameter("derive", "mapping", "names of new columns with expressions in SQL", is_required=False),
        NAME,
    )

    def query(self, context: CellContext, values: Values) -> str:
        record = context.dataset(values["source"])
        renamed = {
            column_of(record, old): new for old, new in cast("Mapping[str, str]", values.get("rename") or {}).items()
        }
        kept = columns_of(record, values.get("columns") or record.schema.names)
        shown = [f"{each} as {quoted(renamed[each])}" if each in renamed else each for each in kept]
        made = cast("Mapping[str, str]", values.get("derive") or {})
        shown += [f"{expression} as {quoted(name)}" for name, expression in made.items()]
        if set(renamed) - set(kept):
            raise UserError("A column that is not kept cannot be renamed.", "Add it to columns.")
        return f"select {', '.join(shown)} from {quoted(values['source'])}"
