"""Load a file."""

from __future__ import annotations

from pathlib import Path

from whence.loading.load import load_path
from whence.model.dataset import DatasetRecord
from whence.notebook.cell import CellContext, CellKind, Footprint, Parameter, Values


class Load(CellKind):
    """A file becomes a dataset; what does not fit is recorded, nothing is dropped."""

    name = "load"
    title = "Load a file"
    parameters = (
        Parameter("source", "path", "the file to load"),
        Parameter("name", "text", "what to call the dataset"),
    )

    def footprint(self, values: Values) -> Footprint:
        return Footprint(frozenset(), frozenset({str(values["name"])}))

    def run(self, context: CellContext, values: Values) -> DatasetRecord:
        return load_path(context.store, Path(str(values["source"])), str(values["name"]))
