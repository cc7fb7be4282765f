"""Take off the spaces around a text."""

from __future__ import annotations

from collections.abc import Iterator

from whence.model.parameter import Parameter
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable
from whence.transformations.plan import TransformationPlan
from whence.transformations.sql import quoted, text
from whence.transformations.suggestion import ColumnLook, Suggestion
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation

# The byte order mark and the zero-width space are invisible, but Unicode does not count them as white space.
_SPACE = r"[\s\x{FEFF}\x{200B}]"


class Trim(Transformation):
    """Remove spaces of every kind before and after each text; with `inside`, make several spaces inside a text one."""

    name = "trim"
    title = "Trim spaces"
    group = "Clean"
    provenance = "a cell comes from itself"
    parameters = (
        Parameter("columns", "columns", "the columns to trim; all text columns if left open"),
        Parameter("inside", "flag", "whether several spaces inside a text become one", False),
    )
    example = {"columns": ["name"]}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        columns = table.text_columns(arguments.columns("columns"))
        ends = text(f"(?U)^{_SPACE}+|{_SPACE}+$")
        changed = {each.name: f"regexp_replace({quoted(each.name)}, {ends}, '')" for each in columns}
        if arguments.flag("inside"):
            inside = text(f"(?U){_SPACE}+")
            changed = {name: f"regexp_replace({sql}, {inside}, ' ')" for name, sql in changed.items()}
        names = ", ".join(each.name for each in columns) or "no column"
        phrases = " and several inside made one" if arguments.flag("inside") else ""
        return TransformationPlan(
            f"Spaces around {names} were taken off{phrases}.",
            table.outputs(changed),
            tuple(Template((Read(name),), (name,)) for name in changed),
            template_reading="changed",
        )

    def suggest_for_column(self, look: ColumnLook) -> Iterator[Suggestion]:
        if any(value != value.strip() for value in look.texts):
            name = look.column.name
            yield Suggestion(self.name, f"Some values of {name} have spaces around them.", {"columns": [name]})
