"""Drop rows that repeat another one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted
from whence.transformations.arguments import Arguments
from whence.transformations.duplicates import Alternatives, alternatives, collect_values, guess_where_different
from whence.transformations.input_table import RID, InputTable, join_names
from whence.transformations.plan import Guess, Output, RowFilter, TransformationPlan
from whence.transformations.sql import concat_text, text
from whence.transformations.suggestion import Suggestion, TableLook
from whence.transformations.transformation import Transformation


class DropDuplicates(Transformation):
    """Keep one of the rows that are equal, in the columns named or in all. Missing equals missing.

    Or keep them all, and put each that repeats another in doubt: it may be a row of its own, or be absent."""

    name = "drop_duplicates"
    title = "Drop repeated rows"
    group = "Clean"
    guesses = (
        "with columns: each cell in which the rows that were taken for one differ; equal rows need no guess; where all "
        "are kept, each row that repeats another"
    )
    pattern = "selection"
    provenance = "the row that stays is itself, the cells of the others are deleted"
    parameters = (
        Parameter("columns", "columns", "the columns that make two rows the same; all if left open"),
        Parameter(
            "keep", "choice", "which row is kept; with all, those that repeat another are in doubt", "first",
            choices=("first", "last", "all"),
        ),
    )  # fmt: skip
    example = {"columns": ["email"], "keep": "last"}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        named, keep = arguments.names("columns"), arguments.text("keep")
        keys = named or list(table.schema.names)
        same = ", ".join(map(quoted, keys))
        order = f"{RID}{' desc' if keep == 'last' else ''}"
        place = table.helper("place among equal rows")
        helper = f"row_number() over (partition by {same} order by {order})"
        alike = f"agree on {join_names(named)}" if named else "are equal"
        if keep == "all":
            return _doubt_repeats(table, Output(place, helper), alike, keys)
        below, guesses = _differences(table, keys)
        (row,) = table.ask(f"select count(*) as n from (select distinct {same} from {table.view})")
        removed = table.rows - int(str(row["n"]))
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


def _doubt_repeats(table: InputTable, place: Output, alike: str, keys: list[str]) -> TransformationPlan:
    """Return the plan that keeps all rows: each but the first of those that are alike may be absent."""
    which = text(f"Rows that {alike} may be one, and this is number ")
    message = concat_text(which, f"cast({quoted(place.name)} as string)", text(" of them."))
    is_repeat = f"{quoted(place.name)} > 1"
    return TransformationPlan(
        f"Rows that {alike} are in doubt, but for the first of them."
        f"{table.learned_in_doubt(*(each for each in table.schema if each.name in keys))}",
        table.outputs(),
        guesses=(Guess(None, "repeated", is_repeat, message),),
        below=((place,),),
    )


def _differences(table: InputTable, keys: list[str]) -> tuple[tuple[tuple[Output, ...], ...], tuple[Guess, ...]]:
    """Return columns that collect the values of rows with the same keys, and a guess where these differ."""
    over, who = f" over (partition by {', '.join(map(quoted, keys))})", f"Rows with the same {', '.join(keys)} have"
    below: list[Output] = []
    guesses = []
    for number, field in enumerate(field for field in table.schema if field.name not in keys):
        read = quoted(field.name)
        values = Output(f"__whence_values_{number}", collect_values(read, over))
        ends, found = _named(table, field.name, alternatives(field, read, over))
        below += [values, *ends]
        guesses.append(guess_where_different(field.name, who, read, values.name, found))
    return ((tuple(below),) if below else ()), tuple(guesses)


def _named(table: InputTable, column: str, found: Alternatives | None) -> tuple[list[Output], Alternatives | None]:
    """Return alternatives as columns, and how to read them; their names are not internal, so they can be in doubt."""
    if found is None:
        return [], None
    made = {part: Output(table.helper(f"{part} {column}"), sql) for part, sql in asdict(found).items()}
    return list(made.values()), Alternatives(**{part: quoted(each.name) for part, each in made.items()})
