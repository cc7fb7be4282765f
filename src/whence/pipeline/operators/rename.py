"""Give columns other names."""

from __future__ import annotations

from collections.abc import Mapping

from whence.model.errors import UserError
from whence.pipeline.applied import Applied, Output
from whence.pipeline.given import Given
from whence.pipeline.operator import Operator
from whence.plan.sql_text import quoted


class Rename(Operator):
    """The columns have new names and are the same columns."""

    name = "rename"
    title = "Rename columns"
    core = "projection"
    provenance = "every cell is itself"

    def apply(self, given: Given, columns: Mapping[str, str]) -> Applied:
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
