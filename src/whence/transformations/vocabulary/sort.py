"""Put rows in order."""

from __future__ import annotations

from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import RID, InputTable, join_names
from whence.transformations.plan import NewRows, TransformationPlan
from whence.transformations.transformation import Transformation


class Sort(Transformation):
    """Put rows in the order of columns; `-` before a name counts down. Equal rows keep their order."""

    name = "sort"
    title = "Sort rows"
    group = "Query"
    pattern = "order"
    provenance = "every cell is itself"
    parameters = (Parameter("columns", "texts", "the columns to sort by; `-name` counts down", is_required=True),)
    example = {"columns": ["-age", "name"]}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        asked = arguments.texts("columns")
        order = []
        for each in asked:
            # A column may itself be called `-name`.
            is_down = each.startswith("-") and table.schema.position(each) is None
            order.append(f"{quoted(table.column(each[1:] if is_down else each).name)} {'desc' if is_down else 'asc'}")
        names = ", ".join(quoted(name) for name in table.schema.names)
        query = f"select {names} from {{input}} order by {', '.join(order)}, {RID}"
        return TransformationPlan(f"Sorted by {join_names(asked)}.", table.outputs(), new_rows=NewRows(query))
