"""Put the rows of several datasets under each other."""

from __future__ import annotations

from typing import cast

from whence.model.errors import UserError
from whence.notebook.cell import CellContext, Values
from whence.notebook.cells.query import NAME, QueryKind, quoted
from whence.notebook.parameter import Parameter
from whence.notebook.scope import Names


class Union(QueryKind):
    """The rows of several datasets; columns find each other by name."""

    name = "union"
    title = "Union of datasets"
    parameters = (
        Parameter("source", "datasets", "the datasets, first to last"),
        Parameter(
            "fill", "flag", "whether a column that one lacks is filled with NULL", is_required=False, default=False
        ),
        Parameter("distinct", "flag", "whether equal rows become one", is_required=False, default=False),
        NAME,
    )

    def query(self, context: CellContext, values: Values) -> str:
        names = cast("list[str]", values["source"])
        datasets = [Names({each: each for each in context.dataset(name).schema.names}) for name in names]
        columns = Names({each: each for dataset in datasets for each in dataset})
        parts = []
        for name, dataset in zip(names, datasets, strict=True):
            lacking = [each for each in columns if each not in dataset]
            if lacking and not values.get("fill"):
                raise UserError(f"{name} has no column {lacking[0]}.", "Choose fill, or make the columns alike first.")
            shown = (quoted(dataset[each]) if each in dataset else "null" for each in columns)
            named = ", ".join(f"{value} as {quoted(each)}" for value, each in zip(shown, columns, strict=True))
            parts.append(f"select {named} from {quoted(name)}")
        return f" union {'' if values.get('distinct') else 'all '}".join(parts)
