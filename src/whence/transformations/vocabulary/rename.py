"""Give columns other names."""

from __future__ import annotations

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted
from whence.transformations.applied import Applied, Output
from whence.transformations.chosen import Chosen
from whence.transformations.given import Given
from whence.transformations.transformation import Transformation


class Rename(Transformation):
    """The columns have new names and are the same columns."""

    name = "rename"
    title = "Rename columns"
    group = "Query"
    core = "projection"
    provenance = "every cell is itself"
    parameters = (Parameter("columns", "mapping", "old names and new", is_required=True),)
    example = {"columns": {"qty": "quantity"}}

    def apply(self, given: Given, chosen: Chosen) -> Applied:
        columns = chosen.expressions("columns")
        for old in columns:
            given.column(old)
        names = [columns.get(name, name) for name in given.schema.names]
        if len({name.lower() for name in names}) < len(names):
            raise UserError("Two columns would have the same name.", f"They would be {', '.join(names)}.")
        outputs = tuple(
            Output(columns.get(field.name, field.name), quoted(field.name), field.type) for field in given.schema
        )
        said = ", ".join(f"{old} to {new}" for old, new in columns.items())
        return Applied(f"Renamed {said}.", outputs, renamed=dict(columns))
