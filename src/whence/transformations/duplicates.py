"""Keeps one row of each set that agrees on some columns, and says where the others differ."""

from __future__ import annotations

from whence.model.schema import Field
from whence.transformations.applied import Guess, Output
from whence.transformations.given import RID, Given
from whence.transformations.sql import quoted, text, words

_SHOWN = 5
_NOTHING, _EMPTY = "\ufdd0", "\ufdd1"
"""Stand for NULL and for the empty text; code points that no text has."""

ORDER_AS_FOUND = f"order by min({RID})"


def chosen_value(column: str, choose: str, order: str | None = None) -> str:
    """The value of the row that is chosen: the first or last by a column, else by position; or the most frequent."""
    if choose == "most frequent":
        return f"mode({column}, true)"
    # A row without a value to order by is chosen last of all.
    if choose == "last":
        return f"max_by({column}, struct({_order(order, 'not null')}{RID}))"
    return f"min_by({column}, struct({_order(order, 'null')}{RID}))"


def grouped_outputs(
    given: Given, keys: tuple[Field, ...], choose: str, order: Field | None = None
) -> tuple[tuple[Output, ...], tuple[Guess, ...]]:
    """Every column of a set of rows, and a guess for each in which the rows of the set differ."""
    by = None if order is None else quoted(order.name)
    others = tuple(field for field in given.schema if field not in keys)
    changed = {field.name: chosen_value(quoted(field.name), choose, by) for field in others}
    named = ", ".join(key.name for key in keys)
    guesses = tuple(
        disagreement(field.name, f"Rows with the same {named} have", changed[field.name]) for field in others
    )
    return given.outputs(changed), guesses


def disagreement(column: str, who: str, chosen: str, value: str | None = None, only: str = "") -> Guess:
    """A guess where the values of a set are not all the same; `only` says of which rows they are."""
    return differing(column, who, chosen, collected(value or quoted(column), only))


def collected(value: str, only: str = "") -> str:
    """The values of a set of rows as texts; NULL is a value like any other.

    One set serves both questions, whether the values differ and which there are: what cannot be read has a sign in it.
    """
    written = f"cast({value} as string)"
    signed = (
        f"case when {value} is null then {text(_NOTHING)} when {written} = '' then {text(_EMPTY)} else {written} end"
    )
    return f"collect_set({signed}){only}"


def differing(column: str, who: str, chosen: str, found: str) -> Guess:
    """A guess where there are several of the values collected; it lists them and says which was chosen."""
    listed = f"array_join(slice(array_sort({found}), 1, {_SHOWN}), ', ')"
    shown = f"replace(replace({listed}, {text(_NOTHING)}, 'nothing'), {text(_EMPTY)}, 'empty text')"
    more = f"if(size({found}) > {_SHOWN}, concat(' and ', size({found}) - {_SHOWN}, ' more'), '')"
    taken = f"if(cast({chosen} as string) = '', 'empty text', cast({chosen} as string))"
    parts = (text(f"{who} several values of {column}: "), shown, more, text("; "), taken, text(" was chosen."))
    return Guess(column, "chosen", f"size({found}) > 1", words(*parts))


def _order(order: str | None, is_what: str) -> str:
    return "" if order is None else f"{order} is {is_what}, {order}, "
