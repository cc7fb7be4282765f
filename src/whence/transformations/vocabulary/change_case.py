"""Write letters as capitals or small."""

from __future__ import annotations

from whence.model.parameter import Parameter
from whence.transformations.applied import Applied
from whence.transformations.chosen import Chosen
from whence.transformations.given import Given
from whence.transformations.sql import quoted
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation

_CASES = {"upper": "upper", "lower": "lower", "title": "initcap"}


class ChangeCase(Transformation):
    """All letters become capitals, or small, or the first of each word a capital."""

    name = "change_case"
    title = "Change capitals"
    group = "Clean"
    provenance = "a cell comes from itself"
    parameters = (
        Parameter("columns", "columns", "the columns to change; all text columns if left open"),
        Parameter("to", "choice", "how letters are written", is_required=True, choices=tuple(_CASES)),
    )
    example = {"columns": ["name"], "to": "title"}

    def apply(self, given: Given, chosen: Chosen) -> Applied:
        columns, to = given.text_columns(chosen.columns("columns")), chosen.text("to")
        changed = {each.name: f"{_CASES[to]}({quoted(each.name)})" for each in columns}
        names = ", ".join(each.name for each in columns) or "no column"
        return Applied(
            f"{names} is written in {to} case.",
            given.outputs(changed),
            tuple(Template((Read(name),), (name,)) for name in changed),
            template_reading="changed",
        )
