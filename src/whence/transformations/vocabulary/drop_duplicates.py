"""Drop rows that repeat another one."""

from __future__ import annotations

from collections.abc import Iterator

from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted
from whence.transformations.arguments import Arguments
from whence.transformations.duplicates import collect_values, guess_where_different
from whence.transformations.input_table import RID, InputTable, join_names
from whence.transformations.plan import Guess, Output, RowFilter, TransformationPlan
from whence.transformations.suggestion import Suggestion, TableLook
from whence.transformations.transformation import Transformation


class DropDuplicates(Transformation):
    """Keep one of the rows that are equal, in the columns named or in all. Missing equals missing."""

    name = "drop_duplicates"
    title = "Drop repeated rows"
    group = "Clean"
    guesses = "with columns: each cell in which the rows that were taken for one differ; equal rows need no guess"
    pattern = "selection"
    provenance = "the row that stays is itself, the cells of the others are deleted"
    parameters = (
        Parameter("columns", "columns", "the columns that make two rows the same; all if left open"),
        Parameter("keep", "choice", "which row is kept", "first", choices=("first", "last")),
    )
    example = {"columns": ["email"], "keep": "last"}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        named, keep = arguments.names("columns"), arguments.text("keep")
        keys = named or list(table.schema.names)
        same = ", ".join(map(quoted, keys))
        order = f"{RID}{' desc' if keep == 'last' else ''}"
        place = table.helper("place among equal rows")
        helper = f"row_number() over (partition by {same} order by {order})"
        below, guesses = _differences(table, keys)
        (row,) = table.ask(f"select count(*) as n from (select distinct {same} from {table.view})")
        removed = table.rows - int(str(row["n"]))
        alike = f"agree on {join_names(named)}" if named else "are equal"
        return TransformationPlan(
            f"{removed} rows were left out: of rows that {alike} the {keep} was kept."
            f"{table.learned_in_doubt(*(each for each in table.schema if each.name in keys))}",
            table.outputs(),
            guesses=guesses,
            learned={"rows left out": removed},
            below=below,
            # Which row is the first hangs on the keys, so the place of a row is in doubt where a key is.
            row_filter=RowFilter(f"{quoted(place)} = 1", tuple(keys), "repeated", helper=helper, helper_name=place),
        )

    def suggest_for_table(self, look: TableLook) -> Iterator[Suggestion]:
        repeated = len(look.rows) - len(set(map(repr, look.rows)))
        if repeated:
            yield Suggestion(self.name, f"{repeated} of the first {len(look.rows)} rows repeat another one.")


def _differences(table: InputTable, keys: list[str]) -> tuple[tuple[tuple[Output, ...], ...], tuple[Guess, ...]]:
    """Return columns that collect the values of rows with the same keys, and a guess where these differ."""
    others = [name for name in table.schema.names if name not in keys]
    over = f" over (partition by {', '.join(map(quoted, keys))})"
    values = tuple(Output(f"__whence_values_{n}", collect_values(quoted(name), over)) for n, name in enumerate(others))
    who = f"Rows with the same {', '.join(keys)} have"
    guesses = (
        guess_where_different(name, who, quoted(name), each.name) for name, each in zip(others, values, strict=True)
    )
    return ((values,) if values else ()), tuple(guesses)
