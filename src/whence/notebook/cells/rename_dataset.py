"""The `rename_dataset` cell kind: gives a dataset another name and drops the old one."""

from __future__ import annotations

from dataclasses import replace

from whence.model.errors import UserError
from whence.notebook.cell import CellContext, CellResult, Values, names_in
from whence.notebook.cells.query import NAME, SOURCE, QueryKind, quoted
from whence.notebook.footprint import Footprint
from whence.notebook.scope import key_of


class RenameDataset(QueryKind):
    """Give a dataset another name. Cells below no longer see the old one."""

    name = "rename_dataset"
    title = "Rename a dataset"
    group = "Load"
    parameters = (SOURCE, NAME)

    def check(self, values: Values) -> None:
        super().check(values)
        if key_of(str(values["source"])) == key_of(str(values["name"])):
            raise UserError("The new name is the old one.", "Names are compared without regard to case.")

    def footprint(self, values: Values) -> Footprint:
        return Footprint(names_in(values, "source"), names_in(values, "source", "name"), is_exact=True)

    def run(self, context: CellContext, values: Values) -> CellResult:
        return replace(super().run(context, values), dropped=frozenset({str(values["source"])}))

    def query(self, context: CellContext, values: Values) -> str:
        context.dataset(values["source"])  # for the error that suggests names
        return f"select * from {quoted(values['source'])}"
