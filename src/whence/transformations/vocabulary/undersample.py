"""Drop rows of frequent classes."""

from __future__ import annotations

from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import RID, InputTable
from whence.transformations.plan import HELPER, RowFilter, TransformationPlan
from whence.transformations.transformation import Transformation


class Undersample(Transformation):
    """Keep at most as many rows of each class as the rarest has, or `to`; the seed decides which."""

    name = "undersample"
    title = "Undersample"
    group = "Prepare"
    pattern = "selection"
    provenance = "the cells of rows not drawn are deleted"
    parameters = (
        Parameter("column", "column", "the column that holds the class", is_required=True),
        Parameter("to", "whole", "how many rows each class gets; as many as the rarest has if left open", least=0),
        Parameter("seed", "whole", "the same number draws the same rows", 0),
    )
    example = {"column": "label", "seed": 1}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        column, seed = arguments.column("column").name, arguments.integer("seed")
        name = quoted(column)
        if arguments.has("to"):
            to = arguments.integer("to")
        else:
            (row,) = table.ask(f"select min(n) as n from (select count(*) as n from {table.view} group by {name})")
            to = int(str(row["n"] or 0))
        # A hash of the row id is the draw: rand(seed) would depend on how Spark partitions the rows.
        helper = f"row_number() over (partition by {name} order by xxhash64({RID}, {seed}), {RID})"
        row_filter = RowFilter(f"{HELPER} <= {to}", (column,), "not drawn", helper=helper)
        return TransformationPlan(
            f"Drew at most {to} rows of each {column} (seed {seed}).", table.outputs(), row_filter=row_filter
        )
