"""Put in the rows that a sequence of keys lacks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from itertools import islice

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.model.schema import Field
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import RID, WHOLE_NUMBERS, InputTable
from whence.transformations.plan import Guess, NewRows, TransformationPlan
from whence.transformations.sequence import Key, Stride, learn_stride, read_stride
from whence.transformations.sql import concat_text, quoted, text
from whence.transformations.suggestion import ColumnLook, Suggestion
from whence.transformations.template import Statistic, Template
from whence.transformations.transformation import Transformation

_TYPES = (*WHOLE_NUMBERS, "date")
_MOST_KEYS = 1_000_000


class RepairSequence(Transformation):
    """Add a row, empty but for its key, for each key that is missing from an even sequence of numbers or dates."""

    name = "repair_sequence"
    title = "Fill gaps in a sequence"
    group = "Clean"
    pattern = "horizontal augmentation"
    provenance = "a new key comes from the distance learned from the column; other cells are themselves"
    guesses = "each row that was put in"
    parameters = (
        Parameter(
            "column", "column", "the column of whole numbers or dates that should have no gaps", is_required=True
        ),
        Parameter("step", "value", "the distance, such as 1, 7 days, 1 month; the most frequent one if left open"),
        Parameter("low", "value", "where the sequence begins; at the smallest key if left open"),
        Parameter("high", "value", "where it ends; at the largest key if left open"),
    )
    example = {"column": "day", "step": "1 day"}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        column = arguments.column("column")
        if column.type not in _TYPES:
            raise UserError(f"{column.name} holds {column.type}, which has no steps.", "Give whole numbers or dates.")
        keys = _keys(table, column)
        stride = read_stride(arguments.value("step"), is_date=column.type == "date") if arguments.has("step") else None
        step = stride or learn_stride(keys)
        missing = _missing(
            keys, step, _bound(column, arguments, "low", keys[:1]), _bound(column, arguments, "high", keys[-1:])
        )
        found = "" if stride else ", the most frequent distance"
        is_filled = table.helper("is filled")
        message = concat_text(
            text(f"{column.name} "), quoted(column.name), text(" is missing; a row was put in for it.")
        )
        learned = Statistic(f"step of {column.name}", (column.name,), str(step), non_null=(column.name,))
        templates = [Template((), (name,)) for name in table.schema.names if name != column.name]
        source = _with_missing(table, column, missing, quoted(is_filled))
        order = f"order by {quoted(column.name)} asc nulls last, {RID}"
        return TransformationPlan(
            f"{len(missing)} rows were put in where {column.name} leaves out a step of {step}{found}."
            f"{table.learned_in_doubt(column)}",
            table.outputs(),
            (Template((), (column.name,), () if stride else (learned,)), *templates),
            (Guess(None, "filled in", quoted(is_filled), message),),
            {"step": str(step), "missing": [str(key) for key in missing]},
            new_rows=NewRows(f"select {{columns}} from {source} {order}", adds=True),
        )

    def suggest_for_column(self, look: ColumnLook) -> Iterator[Suggestion]:
        profile, column = look.profile, look.column
        if column.type not in WHOLE_NUMBERS or not isinstance(profile.min, int) or not isinstance(profile.max, int):
            return
        filled = profile.count - profile.nulls
        gaps = profile.max - profile.min + 1 - filled
        if profile.distinct == filled and 0 < gaps <= filled / 10:
            why = f"{column.name} counts up, but {gaps} numbers are missing."
            yield Suggestion(self.name, why, {"column": column.name})


def _keys(table: InputTable, column: Field) -> list[Key]:
    name = quoted(column.name)
    rows = table.ask(
        f"select distinct {name} as k from {table.view} where {name} is not null order by 1 limit {_MOST_KEYS + 1}"
    )
    if len(rows) > _MOST_KEYS:
        raise UserError(f"{column.name} has more than {_MOST_KEYS:,} values, too many to look for gaps in.")
    return [key for row in rows if isinstance(key := row["k"], int | date)]


def _bound(column: Field, arguments: Arguments, name: str, found: list[Key]) -> Key | None:
    if not arguments.has(name):
        return found[0] if found else None
    try:
        value = str(arguments.value(name))
        return date.fromisoformat(value) if column.type == "date" else int(value)
    except ValueError:
        raise UserError(
            f"{name} {arguments.value(name)} is no value of {column.name}, which holds {column.type}."
        ) from None


def _missing(keys: list[Key], step: Stride, low: Key | None, high: Key | None) -> list[Key]:
    if low is None or high is None:
        return []
    present = set(keys)
    wanted = list(islice(step.keys(low, high), _MOST_KEYS + 1))
    if len(wanted) > _MOST_KEYS:
        raise UserError(
            f"From {low} to {high} by {step} there are more than {_MOST_KEYS:,} keys.", "Give low, high or step."
        )
    return [key for key in wanted if key not in present]


def _with_missing(table: InputTable, column: Field, missing: list[Key], is_filled: str) -> str:
    """Return a subquery of the input rows and the new rows, which have no source."""
    shown = ", ".join(quoted(name) for name in table.schema.names)
    made = ", ".join(
        f"cast({'k' if field == column else 'null'} as {field.type}) as {quoted(field.name)}" for field in table.schema
    )
    keys = text(json.dumps([str(key) for key in missing]))
    return (
        f"(select {shown}, {RID}, false as {is_filled} from {{input}} union all "
        f"select {made}, cast(null as bigint) as {RID}, true as {is_filled} "
        f"from (select explode(from_json({keys}, 'array<string>')) as k))"
    )
