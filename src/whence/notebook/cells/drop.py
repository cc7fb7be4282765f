"""Let names go."""

from __future__ import annotations

from whence.notebook.cell import CellContext, CellKind, CellResult, Values, names_in
from whence.notebook.footprint import Footprint
from whence.notebook.parameter import Parameter


class Drop(CellKind):
    """Cells below no longer see these datasets; their versions stay in the workspace."""

    name = "drop"
    title = "Drop datasets"
    parameters = (Parameter("source", "datasets", "the datasets to drop"),)

    def footprint(self, values: Values) -> Footprint:
        names = names_in(values, "source")
        return Footprint(names, names, is_exact=True)

    def run(self, context: CellContext, values: Values) -> CellResult:
        names = names_in(values, "source")
        for name in names:
            context.dataset(name)
        return CellResult(dropped=names)
