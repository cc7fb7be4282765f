"""Drop columns, by name or because too much is missing in them."""

from __future__ import annotations

from collections.abc import Sequence

from whence.model.errors import UserError
from whence.pipeline.applied import Applied
from whence.pipeline.given import Given, listed
from whence.pipeline.operator import Operator
from whence.plan.sql_text import quoted


class DropColumns(Operator):
    """Columns named go; with `null_rate`, so do those of which a larger share is missing."""

    name = "drop_columns"
    title = "Drop columns"
    core = "projection"
    provenance = "the cells of the columns are deleted"

    def apply(
        self, given: Given, columns: str | Sequence[str] | None = None, null_rate: float | None = None
    ) -> Applied:
        if columns is None and null_rate is None:
            raise UserError("drop_columns needs columns or a null_rate.")
        named = [] if columns is None else [column.name for column in given.columns(columns)]
        if null_rate is None:
            return Applied(f"Dropped {listed(named)}.", given.outputs(drop=named))
        others = [name for name in given.schema.names if name not in named]
        rates = given.learn(*(f"avg(if({quoted(name)} is null, 1, 0))" for name in others))
        sparse = [
            name for name, rate in zip(others, rates, strict=True) if isinstance(rate, float) and rate > null_rate
        ]
        why = f"Dropped {listed([*named, *sparse]) or 'nothing'}; missing in more than {null_rate:.0%} of rows."
        return Applied(why, given.outputs(drop=[*named, *sparse]))
