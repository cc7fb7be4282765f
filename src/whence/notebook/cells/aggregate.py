"""Group rows and compute figures of each group."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from whence.notebook.cell import CellContext, Values
from whence.notebook.cells.query import NAME, SOURCE, QueryKind, columns_of, quoted
from whence.notebook.parameter import Parameter


class Aggregate(QueryKind):
    """One row for each group, or a single one."""

    name = "aggregate"
    title = "Group and aggregate"
    parameters = (
        SOURCE,
        Parameter("by", "columns", "the columns to group by; one row for all if left open", is_required=False),
        Parameter("measures", "mapping", "names of figures with aggregates in SQL, such as `sum(price)`"),
        NAME,
    )

    def query(self, context: CellContext, values: Values) -> str:
        record = context.dataset(values["source"])
        keys = columns_of(record, values.get("by") or [])
        measures = cast("Mapping[str, str]", values["measures"])
        shown = [*keys, *(f"{expression} as {quoted(name)}" for name, expression in measures.items())]
        grouped = f" group by {', '.join(keys)}" if keys else ""
        return f"select {', '.join(shown)} from {quoted(values['source'])}{grouped}"
