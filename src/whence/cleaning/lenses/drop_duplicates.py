"""Leave out rows that repeat another one."""

from __future__ import annotations

from whence.cleaning.chosen import Chosen
from whence.cleaning.duplicates import ORDER_AS_FOUND, outputs
from whence.cleaning.lens import Cleaned, Lens, LensInput
from whence.cleaning.parameter import Parameter
from whence.cleaning.sql import quoted


class DropDuplicates(Lens):
    """Of equal rows one is kept; with columns, of the rows that agree on those. Two missing values are equal."""

    name = "drop_duplicates"
    title = "Drop duplicate rows"
    guesses = "with columns: each cell in which the rows that were taken for one differ; equal rows need no guess"
    parameters = (
        Parameter("columns", "columns", "the columns that make two rows the same; all if left open"),
        Parameter("keep", "choice", "which row is kept", "first", choices=("first", "last")),
    )

    def clean(self, given: LensInput, chosen: Chosen) -> Cleaned:
        keys = chosen.columns("columns") or given.schema.fields
        shown, guesses = outputs(given, keys, chosen.text("keep"))
        names = ", ".join(quoted(key.name) for key in keys)
        (row,) = given.ask(f"select count(*) as n from (select distinct {names} from {given.view})")
        removed = given.rows - int(str(row["n"]))
        same = "are equal" if not chosen.has("columns") else f"agree on {', '.join(key.name for key in keys)}"
        return Cleaned(
            shown,
            f"{removed} rows were left out: of rows that {same} the {chosen.text('keep')} was kept."
            f"{given.learned_in_doubt(*keys)}",
            guesses,
            {"rows left out": removed},
            tail=f"group by {names} {ORDER_AS_FOUND}",
        )
