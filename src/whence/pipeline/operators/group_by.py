"""One row for each group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from whence.model.errors import UserError
from whence.pipeline.applied import Applied, Output, Whole
from whence.pipeline.given import Given, listed
from whence.pipeline.operator import Operator
from whence.pipeline.template import Read, Template
from whence.plan.sql_text import quoted


class GroupBy(Operator):
    """Rows equal in the columns become one new row, with an aggregate of the group for each value."""

    name = "group_by"
    title = "Group rows"
    core = "aggregation"
    provenance = "a cell comes from the cells of the group that its aggregate reads, and from the group's columns"

    def apply(self, given: Given, columns: str | Sequence[str], values: Mapping[str, str]) -> Applied:
        keys = [column.name for column in given.columns(columns)] if columns else []
        if not values and not keys:
            raise UserError("group_by needs columns or values.")
        outputs = [*(f"{quoted(key)}" for key in keys), *(f"({sql}) as {quoted(as_)}" for as_, sql in values.items())]
        order = f" group by {', '.join(map(quoted, keys))} order by {', '.join(map(quoted, keys))}" if keys else ""
        query = f"select {', '.join(outputs)} from {{given}}{order}"
        grouped = tuple(Read(key, "grouped") for key in keys)
        templates = [Template((Read(key, "grouped"),), (key,)) for key in keys]
        for name, found in zip(values, given.analyse(list(values.values())), strict=True):
            reads = tuple(Read(each, "aggregated") for each in found.columns)
            templates.append(
                Template((*reads, *(each for each in grouped if each.column not in {r.column for r in reads})), (name,))
            )
        named = tuple(Output(name, "") for name in (*keys, *values))
        return Applied(
            f"Grouped by {listed(keys) or 'nothing'}: {', '.join(f'{name} = {sql}' for name, sql in values.items())}.",
            named,
            tuple(templates),
            whole=Whole(query, continues=False, drops="it became part of a group"),
        )
