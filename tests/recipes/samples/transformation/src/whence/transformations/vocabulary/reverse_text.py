"""Write texts backwards."""

from __future__ import annotations

from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted, text
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable
from whence.transformations.plan import Guess, TransformationPlan
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation


class ReverseText(Transformation):
    """The letters of a text come in the other order."""

    name = "reverse_text"
    title = "Write backwards"
    group = "Clean"
    guesses = "each text that reads the same both ways"
    provenance = "a cell comes from itself"
    parameters = (Parameter("column", "column", "the text column to write backwards", is_required=True),)
    example = {"column": "name"}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        name = arguments.column("column").name
        sql = f"reverse({quoted(name)})"
        guess = Guess(name, "reversed", f"{sql} = {quoted(name)}", text("It reads the same both ways."))
        template = Template((Read(name),), (name,))
        return TransformationPlan(f"{name} is written backwards.", table.outputs({name: sql}), (template,), (guess,))
