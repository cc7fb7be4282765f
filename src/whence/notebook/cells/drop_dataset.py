"""The `drop_dataset` cell kind: hides datasets from the cells below."""

from __future__ import annotations

from whence.model.parameter import Parameter
from whence.notebook.cell import CellContext, CellKind, CellResult, Values, names_in
from whence.notebook.footprint import Footprint


class DropDataset(CellKind):
    """Hide datasets from the cells below. Their versions stay in the workspace."""

    name = "drop_dataset"
    title = "Drop datasets"
    group = "Load"
    parameters = (Parameter("source", "datasets", "the datasets to drop", is_required=True),)

    def footprint(self, values: Values) -> Footprint:
        names = names_in(values, "source")
        return Footprint(names, names, is_exact=True)

    def run(self, context: CellContext, values: Values) -> CellResult:
        names = names_in(values, "source")
        for name in names:
            context.dataset(name)  # raises an error if there is no such dataset
        return CellResult(dropped=names)
