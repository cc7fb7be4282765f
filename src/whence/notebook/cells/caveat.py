"""Say what is in doubt."""

from __future__ import annotations

from dataclasses import replace

from whence.caveats.derive import derive, derive_query
from whence.caveats.own import MISSING
from whence.model.caveat import Caveat
from whence.model.errors import InternalError
from whence.notebook.cell import CellContext, CellKind, CellResult, Values, names_in
from whence.notebook.cells.query import NAME, SOURCE, looks_at_marks
from whence.notebook.footprint import Footprint
from whence.notebook.parameter import Parameter
from whence.plan.steps.might_miss import MightMiss


class CaveatCell(CellKind):
    """The same rows, some of them or some of their cells in doubt, with the reason."""

    name = "caveat"
    title = "Comment with a caveat"
    parameters = (
        SOURCE,
        Parameter("message", "text", "why it is in doubt"),
        Parameter("column", "column", "the column in doubt; whole rows if left open", is_required=False),
        Parameter("where", "text", "a condition in SQL for the rows in doubt; all if left open", is_required=False),
        replace(NAME, is_required=False, label="what to call the result; the same name if left open"),
    )

    def footprint(self, values: Values) -> Footprint:
        reads = names_in(values, "source")
        writes = names_in(values, "name") or reads
        return Footprint(reads, writes, is_exact=True, reads_marks=looks_at_marks(values))

    def run(self, context: CellContext, values: Values) -> CellResult:
        record = context.dataset(values["source"])
        column, where, message = values.get("column"), values.get("where"), str(values["message"])
        name, text = str(values.get("name") or record.name), f"caveat: {message}"
        if column or where:
            frame = context.engine.doubted(
                record, str(where) if where else None, str(column) if column else None, message
            )
            return CellResult.of(derive(context.store, context.engine, frame, name, "caveat", text))
        query = context.engine.read(context.engine.frame(record))
        if query.read.plan is None:
            raise InternalError(f"The scan of {record.label} could not be read: {query.read.reason}.")
        loose = replace(query, read=replace(query.read, plan=MightMiss(query.read.plan)))
        said = (Caveat(message, MISSING),)
        return CellResult.of(derive_query(context.store, context.engine, loose, name, "caveat", text, said=said))
