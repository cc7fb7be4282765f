"""Learn what a dataset looks like, and say where a later version looks otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, cast

from whence.model.caveat import Caveat
from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.model.schema import Field
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable
from whence.transformations.plan import Guess, TransformationPlan
from whence.transformations.report import plain
from whence.transformations.sql import concat_text, quoted, text, typed
from whence.transformations.transformation import Transformation

_FAMILY = "shape"
_RANGED = ("tinyint", "smallint", "int", "bigint", "float", "double", "date", "timestamp", "timestamp_ntz")
_SHOWN = 5


@dataclass(frozen=True)
class Expectation:
    """What one column has looked like so far."""

    name: str
    type: str
    nulls: float
    """The share of cells that are missing."""
    values: Sequence[str] | None
    low: object = None
    high: object = None


class WatchShape(Transformation):
    """Learn columns, types, shares of missing values, sets of values and ranges in the first run; compare with them in
    later runs. What it learned is kept with the dataset it makes, where the next version of that name finds it."""

    name = "watch_shape"
    title = "Watch the shape"
    group = "Clean"
    pattern = "identity"
    provenance = "every cell is itself"
    guesses = (
        "cells outside of the values or range seen so far; missing cells, if there are more than before; a column that "
        "is new or has another type; every row, if a column is gone"
    )
    parameters = (
        Parameter(
            "expected",
            "entries",
            "what to compare with; what was learned before if left open",
            fields=(
                Parameter("name", "column", "the column"),
                Parameter("type", "text", "its type"),
                Parameter("nulls", "number", "the share of cells that are missing"),
                Parameter("values", "value", "the set of its values"),
                Parameter("low", "value", "its smallest value"),
                Parameter("high", "value", "its largest value"),
            ),
        ),
        Parameter("slack", "number", "how much larger the share of missing cells may be", 0.1),
        Parameter("most_values", "whole", "a text column with no more values than this has a set of values", 50),
        Parameter("learn_again", "flag", "whether to forget what was learned before", False),
    )
    example: ClassVar[dict[str, object]] = {}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        known = _read_expectations(table, arguments)
        found = _learn(table, int(arguments.number("most_values")))
        expected = found if known is None else known
        broken = [] if known is None else _confirm_broken(table, _broken(known, found, arguments.number("slack")))
        names = ", ".join(dict.fromkeys(name for name, _, _ in broken))
        phrases = (
            f"{len(broken)} expectations about {names} are broken." if broken else "Everything looks as it did before."
        )
        return TransformationPlan(
            f"The shape of {table.label} was learned." if known is None else phrases,
            table.outputs(),
            (),
            tuple(guess for _, guess, _ in broken),
            {"columns": [asdict(each) for each in expected], "broken": [note for _, _, note in broken]},
            notes=tuple(
                Caveat(note, _FAMILY, column=guess.column) for _, guess, note in broken if guess.message is None
            ),
        )


def _read_expectations(table: InputTable, arguments: Arguments) -> list[Expectation] | None:
    """Return what the user expects, or else what was learned before; None if there is neither."""
    earlier = None if arguments.flag("learn_again") else table.earlier(WatchShape.name)
    stored = arguments.entries("expected") or (earlier or {}).get("columns")
    if not stored:
        return None
    try:
        return [Expectation(**cast("dict[str, object]", each)) for each in cast("Sequence[object]", stored)]  # type: ignore[arg-type]
    except TypeError:
        raise UserError("expected takes what watch_shape has learned: lens_report.learned['columns'].") from None


def _learn(table: InputTable, most_values: int) -> list[Expectation]:
    asked = [sql for field in table.schema for sql in _questions(field)]
    answers = table.learn(*asked) if asked else []
    found = []
    for number, field in enumerate(table.schema):
        rows, filled, kinds, low, high = (int(str(a)) if i < 3 else a for i, a in enumerate(answers[number * 5 :][:5]))
        # A column in which hardly any value comes again, such as a name or a key, has no set of values.
        is_set = (
            field.type == "string" and 0 < int(str(kinds)) <= most_values and 2 * int(str(kinds)) <= int(str(filled))
        )
        values = _values(table, field, most_values) if is_set else None
        nulls = 1 - int(str(filled)) / int(str(rows)) if rows else 0.0
        found.append(
            Expectation(name=field.name, type=field.type, nulls=nulls, values=values, low=plain(low), high=plain(high))
        )
    return found


def _questions(field: Field) -> list[str]:
    name = quoted(field.name)
    # An estimate is enough here: `_values` lists the values of columns with few, and gives up if there are more.
    kinds = f"approx_count_distinct({name})" if field.type == "string" else "0"
    ranged = f"if(isnan({name}), null, {name})" if field.type in ("float", "double") else name
    bounds = [f"min({ranged})", f"max({ranged})"] if _is_ranged(field) else ["null", "null"]
    return ["count(*)", f"count({name})", kinds, *(f"cast({each} as string)" for each in bounds)]


def _values(table: InputTable, field: Field, most: int) -> list[str] | None:
    name = quoted(field.name)
    rows = table.ask(
        f"select distinct {name} as v from {table.view} where {name} is not null order by 1 limit {most + 1}"
    )
    return [str(row["v"]) for row in rows] if len(rows) <= most else None


def _is_ranged(field: Field) -> bool:
    return field.type in _RANGED or field.type.startswith("decimal")


_Broken = tuple[str, Guess, str]
"""The column, what is flagged, and the expectation that does not hold, in words."""


def _confirm_broken(table: InputTable, suspected: list[_Broken]) -> list[_Broken]:
    """Return the expectations that some row breaks or that concern a whole column."""
    tests = [f"count_if({guess.when})" for _, guess, _ in suspected]
    counts = table.learn(*tests) if tests else []
    return [each for each, count in zip(suspected, counts, strict=True) if count or each[1].message is None]


def _broken(known: list[Expectation], found: list[Expectation], slack: float) -> list[_Broken]:
    now = {each.name: each for each in found}
    before = {each.name: each for each in known}
    broken = [
        (name, Guess(None, _FAMILY, "true", None), f"The column {name} is gone.") for name in before if name not in now
    ]
    broken += [
        (name, Guess(name, _FAMILY, "true", None), f"The column {name} is new.") for name in now if name not in before
    ]
    for name in (name for name in now if name in before):
        broken += _broken_column(before[name], now[name], slack)
    return broken


def _broken_column(old: Expectation, new: Expectation, slack: float) -> list[_Broken]:
    name, read = old.name, quoted(old.name)
    if old.type != new.type:
        note = f"{name} held {old.type} and now holds {new.type}."
        return [(name, Guess(name, _FAMILY, "true", None), note)]
    broken = []
    if new.nulls > old.nulls + slack:
        note = f"{name} is missing in {new.nulls:.0%} of rows, {old.nulls:.0%} were so far."
        broken.append((name, Guess(name, _FAMILY, f"{read} is null", text(note)), note))
    if old.values is not None:
        known = ", ".join(text(value) for value in old.values)
        shown = ", ".join(old.values[:_SHOWN]) + (
            f" and {len(old.values) - _SHOWN} more" if len(old.values) > _SHOWN else ""
        )
        message = concat_text(text("'"), read, text(f"' is new: {name} has held only {shown} so far."))
        is_new = f"{read} not in ({known})"
        broken.append((name, Guess(name, _FAMILY, is_new, message), f"{name} holds values other than {shown}."))
    if old.low is not None and old.high is not None:
        low, high = typed(old.low, old.type), typed(old.high, old.type)
        message = concat_text(read, text(f" is outside of {old.low} to {old.high}, where {name} has been so far."))
        is_outside = f"({read} < {low} or {read} > {high})"
        broken.append((name, Guess(name, _FAMILY, is_outside, message), f"{name} leaves {old.low} to {old.high}."))
    return broken
