"""Fill missing values of a column with one that stands in for them."""

from __future__ import annotations

from whence.cleaning.chosen import Chosen
from whence.cleaning.lens import Cleaned, Guess, Lens, LensInput
from whence.cleaning.parameter import Parameter
from whence.cleaning.sql import lookup, quoted, text, typed, words
from whence.model.errors import UserError
from whence.model.schema import Field

_STATISTICS = {"mean": "avg", "median": "median", "mode": "mode"}
_WORDS = {"mean": "the mean", "median": "the median", "mode": "the most frequent value", "constant": "the value given"}
_WHOLE = ("tinyint", "smallint", "int", "bigint")
_NUMBERS = (*_WHOLE, "float", "double")
_MOST_GROUPS = 100_000


class Impute(Lens):
    """NULL becomes the column's mean, median or mode, of all rows or of the row's group, or a given value."""

    name = "impute"
    title = "Fill missing values"
    guesses = "each filled cell"
    parameters = (
        Parameter("column", "column", "the column to fill", is_required=True),
        Parameter("method", "choice", "what stands in", "median", choices=tuple(_WORDS)),
        Parameter("value", "value", "the value for method constant"),
        Parameter("by", "columns", "columns whose equal values make a group with a statistic of its own"),
    )

    def clean(self, given: LensInput, chosen: Chosen) -> Cleaned:
        column, method, by = chosen.column("column"), chosen.text("method"), chosen.columns("by")
        if method in ("mean", "median") and column.type not in _NUMBERS and not column.type.startswith("decimal"):
            raise UserError(f"{column.name} holds {column.type}, which has no {method}.", "Use mode or constant.")
        stand_in = self._constant(given, chosen) if method == "constant" else _whole_table(given, column, method)
        if stand_in is None:
            raise UserError(f"{given.label} gives no value to fill {column.name} with.", "Use method constant.")
        if by and method != "constant":
            return _by_group(given, column, method, by, stand_in)
        filled = f"coalesce({quoted(column.name)}, {typed(stand_in, column.type)})"
        message = f"{column.name} is missing; {stand_in}, {_WORDS[method]}, stands in for it."
        learned_in_doubt = "" if method == "constant" else given.learned_in_doubt(column)
        return Cleaned(
            given.outputs({column.name: filled}),
            f"Missing values of {column.name} are {stand_in}, {_WORDS[method]}.{learned_in_doubt}",
            (Guess(column.name, "imputed", f"{quoted(column.name)} is null", text(message)),),
            {} if method == "constant" else {method: stand_in},
        )

    def _constant(self, given: LensInput, chosen: Chosen) -> object:
        value, column = chosen.value("value"), chosen.column("column")
        if value is None:
            raise UserError("impute needs value: the value for method constant.")
        (row,) = given.ask(f"select try_cast({text(str(value))} as {column.type}) as v")
        if row["v"] is None:
            raise UserError(f"{value} is no value of {column.name}, which holds {column.type}.")
        return value


def _whole_table(given: LensInput, column: Field, method: str) -> object:
    (found,) = given.learn(f"cast({_statistic(method, column)} as string)")
    return found


def _by_group(given: LensInput, column: Field, method: str, by: tuple[Field, ...], fallback: object) -> Cleaned:
    """Each group has its own value; a group without any value gets that of the whole table."""
    key = f"to_json(struct({', '.join(quoted(each.name) for each in by)}))"
    rows = given.ask(
        f"select {key} as k, cast({_statistic(method, column)} as string) as v from {given.view} "
        f"group by 1 having v is not null order by 1 limit {_MOST_GROUPS + 1}"
    )
    if len(rows) > _MOST_GROUPS:
        raise UserError(f"{given.label} has more than {_MOST_GROUPS:,} groups to fill from.", "Group by fewer columns.")
    values = {str(row["k"]): str(row["v"]) for row in rows}
    own, names = lookup(key, values), ", ".join(each.name for each in by)
    filled = f"coalesce({quoted(column.name)}, cast({own} as {column.type}), {typed(fallback, column.type)})"
    ours, theirs = f", {_WORDS[method]} of its group by {names}, ", f", {_WORDS[method]} of all rows, "
    said = f"case when {own} is null then {text(f'{fallback}{theirs}')} else {words(own, text(ours))} end"
    message = f"concat({text(f'{column.name} is missing; ')}, {said}, 'stands in for it.')"
    return Cleaned(
        given.outputs({column.name: filled}),
        f"Missing values of {column.name} are {_WORDS[method]} of their group by {names}, or {fallback}, "
        f"that of all rows, where a group has no value.{given.learned_in_doubt(column, *by)}",
        (Guess(column.name, "imputed", f"{quoted(column.name)} is null", message),),
        {method: fallback, "groups": values},
    )


def _statistic(method: str, column: Field) -> str:
    """The statistic in the column's own type: the mean of whole numbers is rounded to one."""
    name = quoted(column.name)
    # Of values that are equally frequent the smallest is taken, so that a second run finds the same.
    value = f"mode({name}, true)" if method == "mode" else f"{_STATISTICS[method]}({name})"
    is_whole = column.type in _WHOLE and method != "mode"
    return f"cast({f'round({value})' if is_whole else value} as {column.type})"
