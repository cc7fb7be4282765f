"""Clean a dataset with a lens."""

from __future__ import annotations

from whence.cleaning.apply import apply_lens, find_lens
from whence.model.errors import UserError
from whence.notebook.cell import CellContext, CellKind, CellResult, Values, names_in
from whence.notebook.cells.query import looks_at_marks
from whence.notebook.footprint import Footprint
from whence.notebook.parameter import Parameter

_OWN = frozenset({"source", "lens", "name"})


class LensCell(CellKind):
    """A lens over a dataset; the lens's own parameters stand beside those of the cell."""

    name = "lens"
    title = "Clean with a lens"
    parameters = (
        Parameter("source", "dataset", "the dataset to clean"),
        Parameter("lens", "choice", "the lens to use"),
        Parameter("name", "text", "what to call the result"),
    )

    def check(self, values: Values) -> None:
        for parameter in self.parameters:
            if not values.get(parameter.name):
                raise UserError(f"A lens cell needs {parameter.name}: {parameter.label}.")
        find_lens(str(values["lens"])).check(self._given(values))

    def footprint(self, values: Values) -> Footprint:
        reads, writes = names_in(values, "source"), names_in(values, "name")
        return Footprint(reads, writes, is_exact=True, reads_marks=looks_at_marks(self._given(values)))

    def run(self, context: CellContext, values: Values) -> CellResult:
        record = context.dataset(values["source"])
        lens, name = str(values["lens"]), str(values["name"])
        return CellResult.of(apply_lens(context.derive, record, lens, name, self._given(values)))

    def _given(self, values: Values) -> Values:
        """What is meant for the lens."""
        return {name: value for name, value in values.items() if name not in _OWN}
