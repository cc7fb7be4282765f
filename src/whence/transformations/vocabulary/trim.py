"""Take off the spaces around a text."""

from __future__ import annotations

from collections.abc import Iterator

from whence.model.parameter import Parameter
from whence.transformations.applied import Applied
from whence.transformations.chosen import Chosen
from whence.transformations.given import Given
from whence.transformations.sql import quoted, text
from whence.transformations.suggestion import ColumnLook, Suggestion
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation

_SPACE = r"[\s\x{FEFF}\x{200B}]"


class Trim(Transformation):
    """Spaces of every kind before and after a text go; those inside may be made one."""

    name = "trim"
    title = "Trim spaces"
    group = "Clean"
    provenance = "a cell comes from itself"
    parameters = (
        Parameter("columns", "columns", "the columns to trim; all text columns if left open"),
        Parameter("inside", "flag", "whether several spaces inside a text become one", False),
    )
    example = {"columns": ["name"]}

    def apply(self, given: Given, chosen: Chosen) -> Applied:
        columns = given.text_columns(chosen.columns("columns"))
        ends = text(f"(?U)^{_SPACE}+|{_SPACE}+$")
        changed = {each.name: f"regexp_replace({quoted(each.name)}, {ends}, '')" for each in columns}
        if chosen.flag("inside"):
            inside = text(f"(?U){_SPACE}+")
            changed = {name: f"regexp_replace({sql}, {inside}, ' ')" for name, sql in changed.items()}
        names = ", ".join(each.name for each in columns) or "no column"
        said = " and several inside made one" if chosen.flag("inside") else ""
        return Applied(
            f"Spaces around {names} were taken off{said}.",
            given.outputs(changed),
            tuple(Template((Read(name),), (name,)) for name in changed),
            template_reading="changed",
        )

    def suggest_for_column(self, look: ColumnLook) -> Iterator[Suggestion]:
        if any(value != value.strip() for value in look.texts):
            name = look.column.name
            yield Suggestion(self.name, f"Some values of {name} have spaces around them.", {"columns": [name]})
