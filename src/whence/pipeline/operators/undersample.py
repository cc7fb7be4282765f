"""Drop rows of frequent classes."""

from __future__ import annotations

from whence.model.errors import UserError
from whence.pipeline.applied import HELPER, Applied, Sieve
from whence.pipeline.given import RID, Given
from whence.pipeline.operator import Operator
from whence.plan.sql_text import quoted


class Undersample(Operator):
    """Each class of a column keeps at most as many rows as the rarest has, or `to`; the seed decides which."""

    name = "undersample"
    title = "Undersample"
    core = "selection"
    provenance = "the cells of rows not drawn are deleted"

    def apply(self, given: Given, column: str, to: int | None = None, seed: int = 0) -> Applied:
        name = quoted(given.column(column).name)
        if to is None:
            (row,) = given.ask(f"select min(n) as n from (select count(*) as n from {given.view} group by {name})")
            to = int(str(row["n"] or 0))
        if to < 0:
            raise UserError("A class cannot keep fewer than no rows.")
        helper = f"row_number() over (partition by {name} order by xxhash64({RID}, {int(seed)}), {RID})"
        sieve = Sieve(f"{HELPER} <= {to}", (column,), "not drawn", helper=helper)
        return Applied(f"Drew at most {to} rows of each {column} (seed {seed}).", given.outputs(), sieve=sieve)
