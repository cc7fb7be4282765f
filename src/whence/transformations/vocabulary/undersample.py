"""Drop rows of frequent classes."""

from __future__ import annotations

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted
from whence.transformations.applied import HELPER, Applied, Sieve
from whence.transformations.chosen import Chosen
from whence.transformations.given import RID, Given
from whence.transformations.transformation import Transformation


class Undersample(Transformation):
    """Each class of a column keeps at most as many rows as the rarest has, or `to`; the seed decides which."""

    name = "undersample"
    title = "Undersample"
    group = "Prepare"
    core = "selection"
    provenance = "the cells of rows not drawn are deleted"
    parameters = (
        Parameter("column", "column", "the column that holds the class", is_required=True),
        Parameter("to", "number", "how many rows each class gets; as many as the rarest has if left open"),
        Parameter("seed", "number", "the same number draws the same rows", 0),
    )
    example = {"column": "label", "seed": 1}

    def apply(self, given: Given, chosen: Chosen) -> Applied:
        column, seed = chosen.column("column").name, chosen.whole("seed")
        name = quoted(column)
        if chosen.has("to"):
            to = chosen.whole("to")
        else:
            (row,) = given.ask(f"select min(n) as n from (select count(*) as n from {given.view} group by {name})")
            to = int(str(row["n"] or 0))
        if to < 0:
            raise UserError("A class cannot keep fewer than no rows.")
        helper = f"row_number() over (partition by {name} order by xxhash64({RID}, {seed}), {RID})"
        sieve = Sieve(f"{HELPER} <= {to}", (column,), "not drawn", helper=helper)
        return Applied(f"Drew at most {to} rows of each {column} (seed {seed}).", given.outputs(), sieve=sieve)
