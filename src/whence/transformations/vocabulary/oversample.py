"""Repeat rows of rare classes."""

from __future__ import annotations

from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted, typed
from whence.transformations.applied import HELPER, Applied, Whole
from whence.transformations.chosen import Chosen
from whence.transformations.given import RID, Given
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation

_COPY = "__whence_copy"


class Oversample(Transformation):
    """Rows of each class are repeated until it has as many as the largest has, or `to`; the seed decides which."""

    name = "oversample"
    title = "Oversample"
    group = "Prepare"
    core = "horizontal augmentation"
    provenance = "a repeated row is a new record whose cells are copies of those of the row it repeats"
    parameters = (
        Parameter("column", "column", "the column that holds the class", is_required=True),
        Parameter("to", "number", "how many rows each class gets; as many as the largest has if left open"),
        Parameter("seed", "number", "the same number draws the same rows", 0),
    )
    example = {"column": "label", "seed": 1}

    def apply(self, given: Given, chosen: Chosen) -> Applied:
        column, seed = chosen.column("column").name, chosen.whole("seed")
        name = quoted(column)
        if chosen.has("to"):
            to = chosen.whole("to")
        else:
            (row,) = given.ask(f"select max(n) as n from (select count(*) as n from {given.view} group by {name})")
            to = int(str(row["n"] or 0))
        counts = given.ask(f"select {name} as k, count(*) as n from {given.view} group by {name}")
        cases = " ".join(
            f"when {name} <=> {typed(each['k'], given.column(column).type)} then {_copies(int(str(each['n'])), to)}"
            for each in counts
        )
        names = ", ".join(quoted(each) for each in given.schema.names)
        ranked = (
            f"select *, row_number() over (partition by {name} order by xxhash64({RID}, {seed}), {RID}) "
            f"as {HELPER} from {{given}}"
        )
        # Where the table is empty no class is known, and nothing is repeated.
        times = f"case {cases} else 1 end" if cases else "1"
        query = (
            f"select {names} from (select *, explode(sequence(1, cast({times} as int))) as {_COPY} from ({ranked})) "
            f"order by {_COPY}, {RID}"
        )
        reads = tuple(Template((Read(each, "copied"),), (each,)) for each in given.schema.names)
        return Applied(
            f"Repeated rows so that each {column} has {to} (seed {seed}).",
            given.outputs(),
            reads,
            whole=Whole(query, adds=True),
        )


def _copies(rows: int, wanted: int) -> str:
    """How often a row stands in the result, by its place in the draw; never less than once."""
    if rows >= wanted:
        return "1"
    return f"{wanted // rows} + if({HELPER} <= {wanted % rows}, 1, 0)"
