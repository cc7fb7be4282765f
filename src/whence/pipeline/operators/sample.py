"""Keep some rows, drawn at random."""

from __future__ import annotations

from whence.model.errors import UserError
from whence.pipeline.applied import HELPER, Applied, Sieve
from whence.pipeline.given import RID, Given
from whence.pipeline.operator import Operator


class Sample(Operator):
    """A share of the rows stays, or a number of them; the same seed draws the same rows."""

    name = "sample"
    title = "Draw rows"
    core = "selection"
    provenance = "the cells of rows not drawn are deleted"

    def apply(self, given: Given, fraction: float | None = None, rows: int | None = None, seed: int = 0) -> Applied:
        if (fraction is None) == (rows is None):
            raise UserError("sample needs a fraction or a number of rows.")
        if rows is None:
            (count,) = given.learn("count(*)")
            rows = round(int(str(count)) * float(fraction or 0))
        helper = f"row_number() over (order by xxhash64({RID}, {int(seed)}), {RID})"
        sieve = Sieve(f"{HELPER} <= {rows}", (), "not drawn", helper=helper)
        return Applied(f"Drew {rows} rows (seed {seed}).", given.outputs(), sieve=sieve)
