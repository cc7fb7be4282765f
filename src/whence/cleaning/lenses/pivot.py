"""Turn the values of a column into columns."""

from __future__ import annotations

from whence.cleaning.chosen import Chosen
from whence.cleaning.duplicates import ORDER_AS_FOUND, disagreement
from whence.cleaning.lens import RID, Cleaned, Guess, Lens, LensInput, Output
from whence.cleaning.parameter import Parameter
from whence.cleaning.sql import quoted, said, text
from whence.model.errors import UserError
from whence.model.schema import Field, unique_names

_MOST_COLUMNS = 100
_FUNCTIONS = {"sum": "sum", "count": "count", "mean": "avg", "smallest": "min", "largest": "max"}


class Pivot(Lens):
    """One row for each key, one column for each value of a column, filled from another."""

    name = "pivot"
    title = "Pivot"
    guesses = "with method only: each cell for which there are several different values; the caveat lists them"
    parameters = (
        Parameter("keys", "columns", "the columns that make a row", is_required=True),
        Parameter("column", "column", "the column whose values become columns", is_required=True),
        Parameter("value", "column", "the column whose values fill them", is_required=True),
        Parameter(
            "method", "choice", "the only value there should be, or one computed of all", "only",
            choices=("only", *_FUNCTIONS),
        ),
    )  # fmt: skip

    def clean(self, given: LensInput, chosen: Chosen) -> Cleaned:
        keys, column, value = chosen.columns("keys"), chosen.column("column"), chosen.column("value")
        if column in keys or value in keys:
            raise UserError("pivot cannot use one column both as key and as column or value.")
        values = _values(given, column)
        method = chosen.text("method")
        names = unique_names([*(key.name for key in keys), *values])[len(keys) :]
        cells = [_cell(name, each, column, value, method) for name, each in zip(names, values, strict=True)]
        shown = tuple(Output(key.name, quoted(key.name)) for key in keys)
        named = ", ".join(key.name for key in keys)
        return Cleaned(
            (*shown, *(output for output, _ in cells)),
            f"Each value of {column.name} is a column that holds {value.name}; a row stands for each {named}."
            f"{given.learned_in_doubt(column)}",
            tuple(guess for _, guess in cells) if method == "only" else (),
            {"columns": values},
            tail=f"group by {', '.join(quoted(key.name) for key in keys)} {ORDER_AS_FOUND}",
        )


def _values(given: LensInput, column: Field) -> list[str]:
    value = said(quoted(column.name))
    rows = given.ask(f"select distinct {value} as v from {given.view} order by 1 limit {_MOST_COLUMNS + 1}")
    if len(rows) > _MOST_COLUMNS:
        raise UserError(f"{column.name} has more than {_MOST_COLUMNS} values, too many to be columns.")
    return [str(row["v"]) for row in rows]


def _cell(name: str, wanted: str, column: Field, value: Field, method: str) -> tuple[Output, Guess]:
    read, is_it = quoted(value.name), f"{said(quoted(column.name))} = {text(wanted)}"
    if method != "only":
        only = f" filter (where {is_it})"
        computed = Output(name, f"{_FUNCTIONS[method]}({read}){only}")
        return computed, Guess(name, "", "false", None)
    only = f" filter (where {is_it} and {read} is not null)"
    taken = f"min_by({read}, {RID}){only}"
    return Output(name, taken), disagreement(name, f"Where {column.name} is {wanted} there are", taken, read, only)
