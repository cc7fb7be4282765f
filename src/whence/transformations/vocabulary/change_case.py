"""Write letters as capitals or small."""

from __future__ import annotations

from whence.model.parameter import Parameter
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable
from whence.transformations.plan import TransformationPlan
from whence.transformations.sql import quoted
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation

_CASES = {"upper": "upper", "lower": "lower", "title": "initcap"}


class ChangeCase(Transformation):
    """Write all letters as capitals or small, or the first letter of each word as a capital."""

    name = "change_case"
    title = "Change capitals"
    group = "Clean"
    provenance = "a cell comes from itself"
    parameters = (
        Parameter("columns", "columns", "the columns to change; all text columns if left open"),
        Parameter("to", "choice", "how letters are written", is_required=True, choices=tuple(_CASES)),
    )
    example = {"columns": ["name"], "to": "title"}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        columns, to = table.text_columns(arguments.columns("columns")), arguments.text("to")
        changed = {each.name: f"{_CASES[to]}({quoted(each.name)})" for each in columns}
        names = ", ".join(each.name for each in columns) or "no column"
        return TransformationPlan(
            f"{names} is written in {to} case.",
            table.outputs(changed),
            tuple(Template((Read(name),), (name,)) for name in changed),
            template_reading="changed",
        )
