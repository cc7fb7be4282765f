"""Drop rows in which something is missing."""

from __future__ import annotations

from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted
from whence.transformations.applied import Applied, Sieve
from whence.transformations.chosen import Chosen
from whence.transformations.given import Given, listed
from whence.transformations.transformation import Transformation


class DropMissing(Transformation):
    """Rows with a missing value in any (or `how="all"`: in each) of the columns go. NaN is a value."""

    name = "drop_missing"
    title = "Drop rows with missing values"
    group = "Query"
    core = "selection"
    provenance = "the cells of the rows are deleted"
    parameters = (
        Parameter("columns", "columns", "the columns that must not be missing; all if left open"),
        Parameter("how", "choice", "whether any or all of them are missing", "any", choices=("any", "all")),
    )
    example = {"columns": ["age"]}

    def apply(self, given: Given, chosen: Chosen) -> Applied:
        how, names = chosen.text("how"), chosen.names("columns")
        tested = names or list(given.schema.names)
        word = " and " if how == "any" else " or "
        keep = word.join(f"{quoted(name)} is not null" for name in tested)
        where = listed(names) or "any column"
        description = f"Dropped rows with {'a' if how == 'any' else 'every'} value of {where} missing."
        return Applied(description, given.outputs(), sieve=Sieve(f"({keep})", tuple(tested), "missing"))
