"""Drop rows that repeat another one."""

from __future__ import annotations

from collections.abc import Iterator

from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted
from whence.transformations.applied import Applied, Guess, Output, Sieve
from whence.transformations.chosen import Chosen
from whence.transformations.duplicates import collected, differing
from whence.transformations.given import RID, Given, listed
from whence.transformations.suggestion import Suggestion, TableLook
from whence.transformations.transformation import Transformation


class DropDuplicates(Transformation):
    """Of rows with equal values, in the columns named or in all, one stays. Missing equals missing."""

    name = "drop_duplicates"
    title = "Drop repeated rows"
    group = "Clean"
    guesses = "with columns: each cell in which the rows that were taken for one differ; equal rows need no guess"
    core = "selection"
    provenance = "the row that stays is itself, the cells of the others are deleted"
    parameters = (
        Parameter("columns", "columns", "the columns that make two rows the same; all if left open"),
        Parameter("keep", "choice", "which row is kept", "first", choices=("first", "last")),
    )
    example = {"columns": ["email"], "keep": "last"}

    def apply(self, given: Given, chosen: Chosen) -> Applied:
        named, keep = chosen.names("columns"), chosen.text("keep")
        keys = named or list(given.schema.names)
        same = ", ".join(map(quoted, keys))
        order = f"{RID}{' desc' if keep == 'last' else ''}"
        place = given.helper("place among equal rows")
        helper = f"row_number() over (partition by {same} order by {order})"
        below, guesses = _differences(given, keys)
        (row,) = given.ask(f"select count(*) as n from (select distinct {same} from {given.view})")
        removed = given.rows - int(str(row["n"]))
        alike = f"agree on {listed(named)}" if named else "are equal"
        return Applied(
            f"{removed} rows were left out: of rows that {alike} the {keep} was kept."
            f"{given.learned_in_doubt(*(each for each in given.schema if each.name in keys))}",
            given.outputs(),
            guesses=guesses,
            learned={"rows left out": removed},
            below=below,
            # Which row is the first hangs on the keys, so the place of a row is in doubt where a key is.
            sieve=Sieve(f"{quoted(place)} = 1", tuple(keys), "repeated", helper=helper, helper_name=place),
        )

    def suggest_for_table(self, look: TableLook) -> Iterator[Suggestion]:
        repeated = len(look.rows) - len(set(map(repr, look.rows)))
        if repeated:
            yield Suggestion(self.name, f"{repeated} of the first {len(look.rows)} rows repeat another one.")


def _differences(given: Given, keys: list[str]) -> tuple[tuple[tuple[Output, ...], ...], tuple[Guess, ...]]:
    """For each other column the values that rows with the same keys have, and a guess where these are several."""
    others = [name for name in given.schema.names if name not in keys]
    over = f" over (partition by {', '.join(map(quoted, keys))})"
    values = tuple(Output(f"__whence_values_{n}", collected(quoted(name), over)) for n, name in enumerate(others))
    who = f"Rows with the same {', '.join(keys)} have"
    guesses = (differing(name, who, quoted(name), each.name) for name, each in zip(others, values, strict=True))
    return ((values,) if values else ()), tuple(guesses)
