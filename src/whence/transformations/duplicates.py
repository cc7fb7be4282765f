"""SQL that keeps one row of each set of duplicates, and guesses where the rows of a set differ."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.model.schema import Field
from whence.transformations.input_table import RID, InputTable
from whence.transformations.plan import Guess, Output
from whence.transformations.sql import concat_text, quoted, text

_SHOWN = 5
_NOTHING, _EMPTY = "\ufdd0", "\ufdd1"
"""Code points that no text has; they stand for NULL and for the empty text."""

_ORDERED = (
    "tinyint",
    "smallint",
    "int",
    "bigint",
    "float",
    "double",
    "decimal",
    "date",
    "timestamp",
    "string",
    "boolean",
)
"""How the names of types begin whose values have an order."""

ORDER_AS_FOUND = f"order by min({RID})"


def choose_value(column: str, choose: str, order: str | None = None) -> str:
    """Return the aggregate for the value to keep: of the first or last row, by a column or by position, or the mode."""
    if choose == "most frequent":
        # `true`: of equally frequent values Spark takes the smallest, so that a second run chooses the same.
        return f"mode({column}, true)"
    # A row without a value to order by is chosen last of all.
    if choose == "last":
        return f"max_by({column}, struct({_order(order, 'not null')}{RID}))"
    return f"min_by({column}, struct({_order(order, 'null')}{RID}))"


def grouped_outputs(
    table: InputTable, keys: tuple[Field, ...], choose: str, order: Field | None = None
) -> tuple[tuple[Output, ...], tuple[Guess, ...]]:
    """Return the columns of one row per set, and a guess for each column in which the rows of a set differ."""
    by = None if order is None else quoted(order.name)
    others = tuple(field for field in table.schema if field not in keys)
    changed = {field.name: choose_value(quoted(field.name), choose, by) for field in others}
    named = ", ".join(key.name for key in keys)
    guesses = tuple(
        guess_disagreement(field, f"Rows with the same {named} have", changed[field.name]) for field in others
    )
    return table.outputs(changed), guesses


def guess_disagreement(field: Field, who: str, kept: str, value: str | None = None, only: str = "") -> Guess:
    """Return a guess for sets whose values differ; `only` is a FILTER clause for the rows that count."""
    value = value or quoted(field.name)
    found = collect_values(value, only)
    return guess_where_different(field.name, who, kept, found, alternatives(field, value, only))


def collect_values(value: str, only: str = "") -> str:
    """Return the aggregate that collects the different values of a set as texts; NULL is a value like any other.

    One aggregate tells both whether the values differ and which they are.
    """
    written = f"cast({value} as string)"
    signed = (
        f"case when {value} is null then {text(_NOTHING)} when {written} = '' then {text(_EMPTY)} else {written} end"
    )
    return f"collect_set({signed}){only}"


@dataclass(frozen=True)
class Alternatives:
    """SQL for the least and the greatest value of a set, and for an array that holds NULL if the set does."""

    low: str
    high: str
    among: str


def alternatives(field: Field, value: str, only: str = "") -> Alternatives | None:
    """Return the alternatives of a set by aggregates of the value; None for a type without an order."""
    if not is_ordered(field):
        return None
    low, high = f"min({value}){only}", f"max({value}){only}"
    return Alternatives(low, high, f"array(if(count({value}){only} < count(*){only}, null, {low}))")


def is_ordered(field: Field) -> bool:
    """Return whether the values of a column have an order, so that one of them is the least."""
    return field.type.startswith(_ORDERED)


def guess_where_different(column: str, who: str, kept: str, found: str, others: Alternatives | None) -> Guess:
    """Return a guess for sets with several collected values; its message lists them and names the one kept."""
    first_values = f"array_join(slice(array_sort({found}), 1, {_SHOWN}), ', ')"
    shown = f"replace(replace({first_values}, {text(_NOTHING)}, 'nothing'), {text(_EMPTY)}, 'empty text')"
    more = f"if(size({found}) > {_SHOWN}, concat(' and ', size({found}) - {_SHOWN}, ' more'), '')"
    taken = f"if(cast({kept} as string) = '', 'empty text', cast({kept} as string))"
    parts = (text(f"{who} several values of {column}: "), shown, more, text("; "), taken, text(" was chosen."))
    made = Guess(column, "chosen", f"size({found}) > 1", concat_text(*parts))
    return made if others is None else replace(made, low=others.low, high=others.high, among=others.among)


def _order(order: str | None, is_what: str) -> str:
    return "" if order is None else f"{order} is {is_what}, {order}, "
