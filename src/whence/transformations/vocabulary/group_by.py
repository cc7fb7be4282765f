"""One row for each group."""

from __future__ import annotations

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted
from whence.transformations.applied import Applied, Output, Whole
from whence.transformations.chosen import Chosen
from whence.transformations.given import Given, listed
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation


class GroupBy(Transformation):
    """Rows equal in the columns become one new row, with an aggregate of the group for each value."""

    name = "group_by"
    title = "Group rows"
    group = "Query"
    core = "aggregation"
    provenance = "a cell comes from the cells of the group that its aggregate reads, and from the group's columns"
    parameters = (
        Parameter("columns", "columns", "one row for each group of these; one row for all if left open"),
        Parameter("values", "mapping", "new columns, each with an aggregate in SQL, such as `sum(price)`"),
    )
    example = {"columns": ["shop"], "values": {"total": "sum(price)"}}

    def apply(self, given: Given, chosen: Chosen) -> Applied:
        keys, values = chosen.names("columns"), chosen.expressions("values")
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
