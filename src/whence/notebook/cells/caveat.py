"""The `caveat` cell kind: states a caveat on rows or on cells of a column."""

from __future__ import annotations

from dataclasses import replace

from whence.derive.state import Statement, state
from whence.model.parameter import Parameter
from whence.notebook.cell import CellContext, CellKind, CellResult, Values, names_in
from whence.notebook.cells.query import NAME, SOURCE, looks_at_marks
from whence.notebook.footprint import Footprint


class CaveatCell(CellKind):
    """The same rows, some of them or some of their cells in doubt, with the reason."""

    name = "caveat"
    title = "Comment with a caveat"
    group = "Clean"
    parameters = (
        SOURCE,
        Parameter("message", "text", "why it is in doubt", is_required=True),
        Parameter("column", "column", "the column in doubt; whole rows if left open"),
        Parameter("where", "condition", "a condition in SQL for the rows in doubt; all if left open"),
        replace(NAME, is_required=False, label="what to call the result; the same name if left open"),
    )

    def footprint(self, values: Values) -> Footprint:
        reads = names_in(values, "source")
        writes = names_in(values, "name") or reads
        return Footprint(reads, writes, is_exact=True, reads_marks=looks_at_marks(values))

    def run(self, context: CellContext, values: Values) -> CellResult:
        record = context.dataset(values["source"])
        where, column = (str(values[each]) if values.get(each) else None for each in ("where", "column"))
        statement = Statement(record, where, column, str(values["message"]))
        return CellResult.of(state(context.derive, statement, str(values.get("name") or record.name)))
