"""Add rows of other datasets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.model.schema import Field
from whence.plan.sql_text import quoted
from whence.transformations.applied import Applied, Output, Whole
from whence.transformations.chosen import Chosen
from whence.transformations.given import Given, listed
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation


class Union(Transformation):
    """The rows of other datasets come after those before; columns are matched by name, one that is lacking is missing.
    With `fill` the result also gets the columns that only the others have."""

    name = "union"
    title = "Add rows of other datasets"
    group = "Query"
    core = "union"
    provenance = "the rows added are new records whose cells are copies"
    parameters = (
        Parameter("other", "datasets", "the dataset, or datasets, whose rows are added", is_required=True),
        Parameter("fill", "flag", "whether columns that only the others have are added", default=False),
    )
    example = {"other": ["orders_2021"]}

    def apply(self, given: Given, chosen: Chosen) -> Applied:
        records = [given.find_dataset(each) for each in cast("Sequence[object]", chosen.value("other"))]
        extra = _extra(given, records, is_filled=chosen.flag("fill"))
        fields = (*given.schema, *extra)
        parts = [
            f"select {_shown(fields, given.schema.names)} from {{given}}",
            *(
                f"select {_shown(fields, each.schema.names)} from {{other{number}}}"
                for number, each in enumerate(records)
            ),
        ]
        return Applied(
            " ".join(f"Added the {each.rows} rows of {each.label}." for each in records),
            tuple(Output(field.name, "") for field in fields),
            tuple(_template(given, field.name, records) for field in fields),
            whole=Whole(" union all ".join(parts), tuple(records), adds=True),
        )


def _extra(given: Given, records: Sequence[DatasetRecord], *, is_filled: bool) -> tuple[Field, ...]:
    """Columns that only the others have; they are refused unless they are wanted."""
    own = set(given.schema.names)
    for record in records:
        theirs = set(record.schema.names)
        if not theirs & own:
            raise UserError(f"{record.label} shares no column with {given.label}.")
        if theirs - own and not is_filled:
            lacking = listed(sorted(theirs - own))
            raise UserError(
                f"{given.label} has no column {lacking}, which {record.label} has.", "Choose fill, or drop it."
            )
    found = {field.name: field for record in reversed(records) for field in record.schema if field.name not in own}
    return tuple(found.values())


def _shown(fields: Sequence[Field], names: Sequence[str]) -> str:
    return ", ".join(
        quoted(field.name) if field.name in names else f"cast(null as {field.type}) as {quoted(field.name)}"
        for field in fields
    )


def _template(given: Given, name: str, records: Sequence[DatasetRecord]) -> Template:
    own = [Read(name, "copied")] if given.schema.position(name) is not None else []
    others = [
        Read(name, "copied", number) for number, each in enumerate(records, 1) if each.schema.position(name) is not None
    ]
    return Template((*own, *others), (name,))
