"""Make one row of each group."""

from __future__ import annotations

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable, join_names
from whence.transformations.plan import NewRows, Output, TransformationPlan
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation


class GroupBy(Transformation):
    """Make one row of all rows that are equal in the columns, with an aggregate of the group in each new column."""

    name = "group_by"
    title = "Group rows"
    group = "Query"
    pattern = "aggregation"
    provenance = "a cell comes from the cells of the group that its aggregate reads, and from the group's columns"
    parameters = (
        Parameter("columns", "columns", "one row for each group of these; one row for all if left open"),
        Parameter("values", "mapping", "new columns, each with an aggregate in SQL, such as `sum(price)`"),
    )
    example = {"columns": ["shop"], "values": {"total": "sum(price)"}}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        keys, values = arguments.names("columns"), arguments.expressions("values")
        if not values and not keys:
            raise UserError("group_by needs columns or values.")
        outputs = [*(f"{quoted(key)}" for key in keys), *(f"({sql}) as {quoted(as_)}" for as_, sql in values.items())]
        # Sorted by key, as Spark gives groups in an order that may differ from run to run.
        order = f" group by {', '.join(map(quoted, keys))} order by {', '.join(map(quoted, keys))}" if keys else ""
        query = f"select {', '.join(outputs)} from {{input}}{order}"
        grouped = tuple(Read(key, "grouped") for key in keys)
        templates = [Template((Read(key, "grouped"),), (key,)) for key in keys]
        for name, found in zip(values, table.analyse(list(values.values())), strict=True):
            reads = tuple(Read(each, "aggregated") for each in found.columns)
            templates.append(
                Template((*reads, *(each for each in grouped if each.column not in {r.column for r in reads})), (name,))
            )
        named = tuple(Output(name, "") for name in (*keys, *values))
        phrases = ", ".join(f"{name} = {sql}" for name, sql in values.items())
        return TransformationPlan(
            f"Grouped by {join_names(keys) or 'nothing'}: {phrases}.",
            named,
            tuple(templates),
            new_rows=NewRows(query, continues=False, drops="it became part of a group"),
        )
