"""Load a file."""

from __future__ import annotations

from whence.loading.anywhere import load_anywhere
from whence.notebook.cell import CellContext, CellKind, CellResult, Parameter, Values, names_in
from whence.notebook.footprint import Footprint
from whence.notebook.place import place_of


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
        source = place_of(str(values["source"]), context.store.root)
        return CellResult.of(load_anywhere(context.store, context.engine, source, str(values["name"])))
