"""Load a file."""

from __future__ import annotations

from whence.loading.anywhere import load_anywhere
from whence.model.dataset import DatasetRecord
from whence.notebook.cell import CellContext, CellKind, Footprint, Parameter, Values


class Load(CellKind):
    """A file becomes a dataset; what does not fit is recorded, nothing is dropped."""

    name = "load"
    title = "Load a file"
    parameters = (
        Parameter("source", "path", "the file, folder, pattern or web address to load"),
        Parameter("name", "text", "what to call the dataset"),
    )

    def footprint(self, values: Values) -> Footprint:
        return Footprint(frozenset(), frozenset({str(values["name"])}))

    def run(self, context: CellContext, values: Values) -> DatasetRecord:
        return load_anywhere(context.store, context.engine, str(values["source"]), str(values["name"]))
