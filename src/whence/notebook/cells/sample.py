"""Take some rows by chance, the same ones every time."""

from __future__ import annotations

import secrets

from whence.derive.derive import derive
from whence.derive.request import Request
from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.notebook.cell import CellContext, CellKind, CellResult, Values, names_in
from whence.notebook.cells.query import NAME, SOURCE, column_of, quoted
from whence.notebook.footprint import Footprint
from whence.notebook.parameter import Parameter

_RID = "__whence_row"
_FINE = 1_000_000_000


class Sample(CellKind):
    """A share of the rows, or so many; with strata, of each value of a column.

    Chance is a hash of the row's place and the seed, so the seed, kept with the cell, gives the same rows again.
    """

    name = "sample"
    title = "Sample rows"
    parameters = (
        SOURCE,
        Parameter("share", "number", "about which share of the rows, between 0 and 1", is_required=False),
        Parameter("rows", "number", "instead, how many rows", is_required=False),
        Parameter("strata", "column", "a column; so many rows are taken of each of its values", is_required=False),
        Parameter("seed", "number", "what chance begins with; one is chosen and kept if left open", is_required=False),
        NAME,
    )

    def completed(self, values: Values) -> Values:
        return values if values.get("seed") is not None else {**values, "seed": secrets.randbelow(1 << 31)}

    def check(self, values: Values) -> None:
        super().check(values)
        share, rows = values.get("share"), values.get("rows")
        if (share is None) == (rows is None):
            raise UserError("A sample needs either share or rows.")
        if isinstance(share, int | float) and not 0 <= share <= 1:
            raise UserError(f"A share lies between 0 and 1; {share} does not.")
        if rows is not None and (not isinstance(rows, int) or rows < 0):
            raise UserError(f"A sample cannot have {rows} rows.")

    def footprint(self, values: Values) -> Footprint:
        return Footprint(names_in(values, "source"), names_in(values, "name"), is_exact=True)

    def run(self, context: CellContext, values: Values) -> CellResult:
        record = context.dataset(values["source"])
        with context.engine.numbered_view(record, _RID) as view:
            frame = context.engine.query(_query(record, view, values))
        taken = f"{values['rows']} rows" if values.get("rows") is not None else f"a share of {values['share']}"
        text = f"sample of {record.name}: {taken}, seed {values['seed']}"
        return CellResult.of(derive(context.derive, Request(frame, str(values["name"]), "dataset", text)))


def _query(record: DatasetRecord, view: str, values: Values) -> str:
    columns = ", ".join(quoted(name) for name in record.schema.names)
    chance = f"xxhash64({_RID}, cast({int(str(values['seed']))} as bigint))"
    if values.get("share") is not None and values.get("strata") is None:
        return f"select {columns} from {view} where pmod({chance}, {_FINE}) < {float(str(values['share']))} * {_FINE}"
    group = f"partition by {column_of(record, values['strata'])} " if values.get("strata") else ""
    place = f"row_number() over ({group}order by {chance}, {_RID})"
    if values.get("rows") is not None:
        most = str(int(str(values["rows"])))
    else:
        most = f"ceil({float(str(values['share']))} * count(*) over ({group.strip()}))"
    placed = f"select *, {place} as __whence_place, {most} as __whence_most from {view}"
    return f"select {columns} from ({placed}) where __whence_place <= __whence_most"
