"""Keep some rows, drawn at random."""

from __future__ import annotations

from collections.abc import Mapping

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted
from whence.transformations.applied import HELPER, Applied, Sieve
from whence.transformations.chosen import Chosen
from whence.transformations.given import RID, Given
from whence.transformations.transformation import Transformation


class Sample(Transformation):
    """A share of the rows stays, or a number of them, of all rows or of each value of a column; the same seed draws the
    same rows."""

    name = "sample"
    title = "Sample rows"
    group = "Query"
    core = "selection"
    provenance = "the cells of rows not drawn are deleted"
    parameters = (
        Parameter("fraction", "number", "the share of rows to keep, between 0 and 1"),
        Parameter("rows", "number", "instead, how many rows"),
        Parameter("by", "column", "a column; so many rows are drawn of each of its values"),
        Parameter("seed", "number", "the same number draws the same rows", 0),
    )
    example = {"fraction": 0.1, "seed": 1}

    def check(self, asker: str, values: Mapping[str, object]) -> dict[str, object]:
        parsed = super().check(asker, values)
        fraction, rows = parsed["fraction"], parsed["rows"]
        if (fraction is None) == (rows is None):
            raise UserError(f"{asker} needs a fraction or a number of rows.")
        if isinstance(fraction, int | float) and not 0 <= fraction <= 1:
            raise UserError(f"A fraction lies between 0 and 1; {fraction} does not.")
        if isinstance(rows, int | float) and (rows < 0 or rows != int(rows)):
            raise UserError(f"A sample cannot have {rows} rows.")
        return parsed

    def apply(self, given: Given, chosen: Chosen) -> Applied:
        seed, by = chosen.whole("seed"), chosen.column("by").name if chosen.has("by") else None
        group = "" if by is None else f"partition by {quoted(by)} "
        place = f"row_number() over ({group}order by xxhash64({RID}, {seed}), {RID})"
        words = "" if by is None else f" of each {by}"
        tested = () if by is None else (by,)
        if by is not None and not chosen.has("rows"):
            # Every value of the column keeps a row, however rare it is.
            share = chosen.number("fraction")
            helper = f"{place} <= ceil({share}D * count(*) over ({group.strip()}))"
            sieve = Sieve(HELPER, tested, "not drawn", helper=helper)
            return Applied(f"Drew {share:.0%} of the rows{words} (seed {seed}).", given.outputs(), sieve=sieve)
        rows = chosen.whole("rows") if chosen.has("rows") else round(given.rows * chosen.number("fraction"))
        sieve = Sieve(f"{HELPER} <= {rows}", tested, "not drawn", helper=place)
        return Applied(f"Drew {rows} rows{words} (seed {seed}).", given.outputs(), sieve=sieve)
