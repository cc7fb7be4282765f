"""Load a file."""

from __future__ import annotations

from whence.loading.anywhere import load_anywhere
from whence.notebook.cell import CellContext, CellKind, CellResult, Parameter, Values, names_in
from whence.notebook.footprint import Footprint


class Load(CellKind):
    """A file becomes a dataset; what does not fit is recorded, nothing is dropped."""

    name = "load"
    title = "Load a file"
    parameters = (
        Parameter("source", "path", "the file, folder, pattern or web address to load"),
        Parameter("name", "text", "what to call the dataset"),
    )

    def footprint(self, values: Values) -> Footprint:
        return Footprint(frozenset(), names_in(values, "name"), names_in(values, "source"))

    def run(self, context: CellContext, values: Values) -> CellResult:
        return CellResult.of(load_anywhere(context.store, context.engine, str(values["source"]), str(values["name"])))
