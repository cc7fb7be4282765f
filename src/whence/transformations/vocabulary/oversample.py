"""Repeat rows of rare classes."""

from __future__ import annotations

from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted, typed
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import RID, InputTable
from whence.transformations.plan import HELPER, NewRows, TransformationPlan
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation

_COPY = "__whence_copy"


class Oversample(Transformation):
    """Repeat rows of each class until it has as many as the largest class has, or `to`; the seed decides which."""

    name = "oversample"
    title = "Oversample"
    group = "Prepare"
    pattern = "horizontal augmentation"
    provenance = "a repeated row is a new record whose cells are copies of those of the row it repeats"
    parameters = (
        Parameter("column", "column", "the column that holds the class", is_required=True),
        Parameter("to", "whole", "how many rows each class gets; as many as the largest has if left open", least=0),
        Parameter("seed", "whole", "the same number draws the same rows", 0),
    )
    example = {"column": "label", "seed": 1}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        column, seed = arguments.column("column").name, arguments.integer("seed")
        name = quoted(column)
        if arguments.has("to"):
            to = arguments.integer("to")
        else:
            (row,) = table.ask(f"select max(n) as n from (select count(*) as n from {table.view} group by {name})")
            to = int(str(row["n"] or 0))
        counts = table.ask(f"select {name} as k, count(*) as n from {table.view} group by {name}")
        # `<=>` also matches the class of rows that have no value.
        cases = " ".join(
            f"when {name} <=> {typed(each['k'], table.column(column).type)} then {_copies(int(str(each['n'])), to)}"
            for each in counts
        )
        names = ", ".join(quoted(each) for each in table.schema.names)
        # A hash of the row id is the draw: rand(seed) would depend on how Spark partitions the rows.
        ranked = (
            f"select *, row_number() over (partition by {name} order by xxhash64({RID}, {seed}), {RID}) "
            f"as {HELPER} from {{input}}"
        )
        # Where the table is empty no class is known, and nothing is repeated.
        times = f"case {cases} else 1 end" if cases else "1"
        query = (
            f"select {names} from (select *, explode(sequence(1, cast({times} as int))) as {_COPY} from ({ranked})) "
            f"order by {_COPY}, {RID}"
        )
        reads = tuple(Template((Read(each, "copied"),), (each,)) for each in table.schema.names)
        return TransformationPlan(
            f"Repeated rows so that each {column} has {to} (seed {seed}).",
            table.outputs(),
            reads,
            new_rows=NewRows(query, adds=True),
        )


def _copies(rows: int, wanted: int) -> str:
    """Return SQL for how often a row is in the result, by its place in the draw; at least once."""
    if rows >= wanted:
        return "1"
    return f"{wanted // rows} + if({HELPER} <= {wanted % rows}, 1, 0)"
