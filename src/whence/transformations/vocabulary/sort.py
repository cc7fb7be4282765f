"""Put rows in order."""

from __future__ import annotations

from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted
from whence.transformations.applied import Applied, Whole
from whence.transformations.chosen import Chosen
from whence.transformations.given import RID, Given, listed
from whence.transformations.transformation import Transformation


class Sort(Transformation):
    """Rows come in the order of the columns; a name with `-` before it counts down. Equal rows keep their order."""

    name = "sort"
    title = "Sort rows"
    group = "Query"
    core = "order"
    provenance = "every cell is itself"
    parameters = (Parameter("columns", "texts", "the columns to sort by; `-name` counts down", is_required=True),)
    example = {"columns": ["-age", "name"]}

    def apply(self, given: Given, chosen: Chosen) -> Applied:
        asked = chosen.texts("columns")
        order = []
        for each in asked:
            is_down = each.startswith("-") and given.schema.position(each) is None
            order.append(f"{quoted(given.column(each[1:] if is_down else each).name)} {'desc' if is_down else 'asc'}")
        names = ", ".join(quoted(name) for name in given.schema.names)
        query = f"select {names} from {{given}} order by {', '.join(order)}, {RID}"
        return Applied(f"Sorted by {listed(asked)}.", given.outputs(), whole=Whole(query))
