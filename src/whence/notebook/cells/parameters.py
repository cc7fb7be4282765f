"""The `parameters` cell kind: sets parameters that cells below read."""

from __future__ import annotations

from whence.model.parameter import Parameter
from whence.notebook.cell import CellContext, CellKind, CellResult, Values
from whence.notebook.footprint import Footprint
from whence.notebook.parameter_values import read_parameters


class ParametersCell(CellKind):
    """Set values by name. SQL asks for one as `:name`, and `whence run --param name=value` gives it another value."""

    name = "parameters"
    title = "Parameters"
    group = "Text"
    parameters = (
        Parameter(
            "source",
            "value",
            "names with values; as text one `name = value` a line, values as in JSON",
            is_required=True,
        ),
    )

    def check(self, values: Values) -> None:
        super().check(values)
        read_parameters(values.get("source"))

    def footprint(self, values: Values) -> Footprint:
        return Footprint(frozenset(), frozenset(read_parameters(values.get("source"))))

    def run(self, context: CellContext, values: Values) -> CellResult:
        return CellResult(parameters=read_parameters(values["source"]))
