"""Put rows of two datasets together."""

from __future__ import annotations

from whence.model.errors import UserError
from whence.notebook.cell import CellContext, Values
from whence.notebook.cells.query import NAME, SOURCE, QueryKind, column_of, columns_of, quoted
from whence.notebook.parameter import Parameter

_HOW = ("inner", "left", "right", "full", "semi", "anti", "cross")
_ONE_SIDED = ("semi", "anti")


class Join(QueryKind):
    """Rows of two datasets that belong together, side by side."""

    name = "join"
    title = "Join datasets"
    parameters = (
        SOURCE,
        Parameter("other", "dataset", "the dataset to join with"),
        Parameter("on", "columns", "columns that both have and that must be equal", is_required=False),
        Parameter("condition", "text", "instead, a condition in SQL that calls the two `l` and `r`", is_required=False),
        Parameter("how", "choice", "which rows stay", is_required=False, default="inner", choices=_HOW),
        NAME,
    )
    read_from = ("source", "other")

    def check(self, values: Values) -> None:
        super().check(values)
        is_cross, has_both = values.get("how") == "cross", bool(values.get("on")) and bool(values.get("condition"))
        if has_both or is_cross == bool(values.get("on") or values.get("condition")):
            raise UserError("A join needs either on or condition.", "A cross join needs neither.")

    def query(self, context: CellContext, values: Values) -> str:
        left, right = context.dataset(values["source"]), context.dataset(values["other"])
        how = str(values.get("how") or "inner")
        keys = columns_of(left, values.get("on") or [])
        for each in keys:
            column_of(right, each[1:-1].replace("``", "`"))
        match = f" using ({', '.join(keys)})" if keys else f" on {values['condition']}" if how != "cross" else ""
        kind = f"left {how}" if how in _ONE_SIDED else how
        return f"select * from {quoted(values['source'])} l {kind} join {quoted(values['other'])} r{match}"
