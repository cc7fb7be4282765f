"""Repeat rows of rare classes."""

from __future__ import annotations

from whence.pipeline.applied import HELPER, Applied, Whole
from whence.pipeline.given import RID, Given
from whence.pipeline.operator import Operator
from whence.pipeline.template import Read, Template
from whence.plan.sql_text import quoted, typed

_COPY = "__whence_copy"


class Oversample(Operator):
    """Rows of each class are repeated until it has as many as the largest has, or `to`; the seed decides which."""

    name = "oversample"
    title = "Oversample"
    core = "horizontal augmentation"
    provenance = "a repeated row is a new record whose cells are copies of those of the row it repeats"

    def apply(self, given: Given, column: str, to: int | None = None, seed: int = 0) -> Applied:
        name = quoted(given.column(column).name)
        if to is None:
            (row,) = given.ask(f"select max(n) as n from (select count(*) as n from {given.view} group by {name})")
            to = int(str(row["n"] or 0))
        counts = given.ask(f"select {name} as k, count(*) as n from {given.view} group by {name}")
        cases = " ".join(
            f"when {name} <=> {typed(each['k'], given.column(column).type)} then {_copies(int(str(each['n'])), to)}"
            for each in counts
        )
        names = ", ".join(quoted(each) for each in given.schema.names)
        ranked = (
            f"select *, row_number() over (partition by {name} order by xxhash64({RID}, {int(seed)}), {RID}) "
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
