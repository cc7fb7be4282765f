"""Put rows in order."""

from __future__ import annotations

from collections.abc import Sequence

from whence.model.errors import UserError
from whence.pipeline.applied import Applied, Whole
from whence.pipeline.given import RID, Given, listed
from whence.pipeline.operator import Operator
from whence.plan.sql_text import quoted


class Sort(Operator):
    """Rows come in the order of the columns; a name with `-` before it counts down. Equal rows keep their order."""

    name = "sort"
    title = "Sort rows"
    core = "order"
    provenance = "every cell is itself"

    def apply(self, given: Given, columns: str | Sequence[str]) -> Applied:
        asked = [columns] if isinstance(columns, str) else list(columns)
        if not asked:
            raise UserError("sort needs a column.")
        order = []
        for each in asked:
            is_down = each.startswith("-") and given.schema.position(each) is None
            order.append(f"{quoted(given.column(each[1:] if is_down else each).name)} {'desc' if is_down else 'asc'}")
        names = ", ".join(quoted(name) for name in given.schema.names)
        query = f"select {names} from {{given}} order by {', '.join(order)}, {RID}"
        return Applied(f"Sorted by {listed(asked)}.", given.outputs(), whole=Whole(query))
