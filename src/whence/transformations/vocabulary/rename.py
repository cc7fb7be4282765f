"""Give columns other names."""

from __future__ import annotations

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable
from whence.transformations.plan import Output, TransformationPlan
from whence.transformations.transformation import Transformation


class Rename(Transformation):
    """Give columns other names; they stay the same columns."""

    name = "rename"
    title = "Rename columns"
    group = "Query"
    pattern = "projection"
    provenance = "every cell is itself"
    parameters = (Parameter("columns", "mapping", "old names and new", is_required=True),)
    example = {"columns": {"qty": "quantity"}}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        columns = arguments.expressions("columns")
        for old in columns:
            table.column(old)
        names = [columns.get(name, name) for name in table.schema.names]
        if len({name.lower() for name in names}) < len(names):
            raise UserError("Two columns would have the same name.", f"They would be {', '.join(names)}.")
        outputs = tuple(
            Output(columns.get(field.name, field.name), quoted(field.name), field.type) for field in table.schema
        )
        phrases = ", ".join(f"{old} to {new}" for old, new in columns.items())
        return TransformationPlan(f"Renamed {phrases}.", outputs, renamed=dict(columns))
