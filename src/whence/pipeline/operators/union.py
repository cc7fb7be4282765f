"""Add rows of another dataset."""

from __future__ import annotations

from whence.model.errors import UserError
from whence.pipeline.applied import Applied, Whole
from whence.pipeline.given import Given
from whence.pipeline.operator import Operator
from whence.pipeline.template import Read, Template
from whence.plan.sql_text import quoted


class Union(Operator):
    """The rows of another dataset come after those before; columns are matched by name, one it lacks is missing."""

    name = "union"
    title = "Add rows of another dataset"
    core = "union"
    provenance = "the rows added are new records whose cells are copies"

    def apply(self, given: Given, other: object) -> Applied:
        record = given.find_dataset(other)
        theirs = set(record.schema.names)
        if not theirs & set(given.schema.names):
            raise UserError(f"{record.label} shares no column with {given.label}.")
        extra = sorted(theirs - set(given.schema.names))
        if extra:
            raise UserError(f"{given.label} has no column {extra[0]}, which {record.label} has.", "Drop or rename it.")
        own = ", ".join(quoted(name) for name in given.schema.names)
        added = ", ".join(
            quoted(field.name) if field.name in theirs else f"cast(null as {field.type}) as {quoted(field.name)}"
            for field in given.schema
        )
        query = f"select {own} from {{given}} union all select {added} from {{other0}}"
        reads = tuple(
            Template((Read(name, "copied"), *((Read(name, "copied", 1),) if name in theirs else ())), (name,))
            for name in given.schema.names
        )
        return Applied(
            f"Added the {record.rows} rows of {record.label}.",
            given.outputs(),
            reads,
            whole=Whole(query, (record,), adds=True),
        )
