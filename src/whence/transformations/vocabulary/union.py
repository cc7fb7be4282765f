"""Add rows of other datasets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.model.schema import Field
from whence.plan.sql_text import quoted
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable, join_names
from whence.transformations.plan import NewRows, Output, TransformationPlan
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation


class Union(Transformation):
    """Add the rows of other datasets after the others, matching columns by name; a column that a dataset lacks is
    missing there. With `fill`, add the columns that only the others have, too."""

    name = "union"
    title = "Add rows of other datasets"
    group = "Query"
    pattern = "union"
    provenance = "the rows added are new records whose cells are copies"
    parameters = (
        Parameter("other", "datasets", "the dataset, or datasets, whose rows are added", is_required=True),
        Parameter("fill", "flag", "whether columns that only the others have are added", default=False),
    )
    example = {"other": ["orders_2021"]}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        records = [table.find_dataset(each) for each in cast("Sequence[object]", arguments.value("other"))]
        extra = _extra(table, records, is_filled=arguments.flag("fill"))
        fields = (*table.schema, *extra)
        parts = [
            f"select {_select_list(fields, table.schema.names)} from {{input}}",
            *(
                f"select {_select_list(fields, each.schema.names)} from {{other{number}}}"
                for number, each in enumerate(records)
            ),
        ]
        return TransformationPlan(
            " ".join(f"Added the {each.rows} rows of {each.label}." for each in records),
            tuple(Output(field.name, "") for field in fields),
            tuple(_template(table, field.name, records) for field in fields),
            new_rows=NewRows(" union all ".join(parts), tuple(records), adds=True),
        )


def _extra(table: InputTable, records: Sequence[DatasetRecord], *, is_filled: bool) -> tuple[Field, ...]:
    """Return the columns that only the others have; raise UserError if there are some and `fill` is off."""
    own = set(table.schema.names)
    for record in records:
        theirs = set(record.schema.names)
        if not theirs & own:
            raise UserError(f"{record.label} shares no column with {table.label}.")
        if theirs - own and not is_filled:
            lacking = join_names(sorted(theirs - own))
            raise UserError(
                f"{table.label} has no column {lacking}, which {record.label} has.", "Choose fill, or drop it."
            )
    # Reversed, so that the type comes from the first dataset that has the column.
    found = {field.name: field for record in reversed(records) for field in record.schema if field.name not in own}
    return tuple(found.values())


def _select_list(fields: Sequence[Field], names: Sequence[str]) -> str:
    return ", ".join(
        quoted(field.name) if field.name in names else f"cast(null as {field.type}) as {quoted(field.name)}"
        for field in fields
    )


def _template(table: InputTable, name: str, records: Sequence[DatasetRecord]) -> Template:
    own = [Read(name, "copied")] if table.schema.position(name) is not None else []
    others = [
        Read(name, "copied", number) for number, each in enumerate(records, 1) if each.schema.position(name) is not None
    ]
    return Template((*own, *others), (name,))
