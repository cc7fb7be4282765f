"""Replace values by others: whole values, or what matches a pattern."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from whence.model.errors import UserError, WhenceError
from whence.model.parameter import Parameter
from whence.model.schema import Field
from whence.plan.sql_text import quoted, text, typed
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable, join_names
from whence.transformations.plan import Guess, TransformationPlan
from whence.transformations.sql import concat_text
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation


class Replace(Transformation):
    """Replace values by others, or make them missing, in the columns named or in all that can hold them; or replace
    what matches a pattern in texts. Say what you assume, and each changed cell says it, too."""

    name = "replace"
    title = "Replace values"
    group = "Clean"
    provenance = "a changed cell comes from itself"
    guesses = "each changed cell, if you say what you assume"
    parameters = (
        Parameter("values", "mapping", "old values, each with the new one, or null to make it missing"),
        Parameter("pattern", "text", "instead of values, a regular expression, as Java reads it"),
        Parameter("replacement", "text", "with a pattern: what stands in its place; $1 is the first group", ""),
        Parameter("columns", "columns", "where to look; everywhere if left open"),
        Parameter("assuming", "text", "why this is right, if that is not certain"),
    )
    example = {"values": {"?": None}, "columns": ["job"]}

    def check(self, asker: str, values: Mapping[str, object]) -> dict[str, object]:
        parsed = super().check(asker, values)
        if bool(parsed["values"]) == bool(parsed["pattern"]):
            raise UserError(f"{asker} needs values, or a pattern.", 'For example values={"?": None}, or pattern="^0+".')
        return parsed

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        is_pattern = arguments.has("pattern")
        changed = _replace_pattern(table, arguments) if is_pattern else _replace_values(table, arguments)
        why = arguments.maybe("assuming")
        assumption = f", assuming that {why}" if why else ""
        phrase = _describe_pattern(arguments, changed) if is_pattern else _describe_values(arguments, changed)
        return TransformationPlan(
            f"{phrase}{assumption}.",
            table.outputs(changed),
            tuple(Template((Read(name),), (name,)) for name in changed),
            tuple(_guess(name, sql, why) for name, sql in changed.items()) if why else (),
            template_reading="changed",
        )


def _replace_pattern(table: InputTable, arguments: Arguments) -> dict[str, str]:
    pattern, replacement = arguments.text("pattern"), arguments.text("replacement")
    columns = table.text_columns(arguments.columns("columns"))
    try:
        # An invalid pattern fails here, when the step is added, and not later in the run of the pipeline.
        table.ask(f"select regexp_replace('', {text(pattern)}, {text(replacement)}) as v")
    except WhenceError as error:
        raise UserError(f"{pattern!r} is not a regular expression that Spark understands.") from error
    return {each.name: f"regexp_replace({quoted(each.name)}, {text(pattern)}, {text(replacement)})" for each in columns}


def _replace_values(table: InputTable, arguments: Arguments) -> dict[str, str]:
    values = cast("Mapping[object, object]", arguments.value("values"))
    columns = arguments.columns("columns")
    # Without columns a text is looked for in text columns only: "1" is no number.
    if not columns and any(isinstance(value, str) for value in values):
        columns = tuple(column for column in table.schema if column.type == "string")
    cases = {column: _cases(table, column, values) for column in columns or table.schema}
    return {
        column.name: f"case {' '.join(found)} else {quoted(column.name)} end"
        for column, found in cases.items()
        if found
    }


def _cases(table: InputTable, column: Field, values: Mapping[object, object]) -> list[str]:
    name = quoted(column.name)
    return [
        f"when {name} is null then {typed(new, column.type)}"
        if old is None
        else f"when {name} <=> try_cast({text(str(old))} as {column.type}) then {typed(new, column.type)}"
        for old, new in values.items()
        if old is None or _can_hold(table, column, old)
    ]


def _can_hold(table: InputTable, column: Field, value: object) -> bool:
    """Whether the column's type can hold a value; if not, the cast gives NULL, which would match missing cells."""
    if column.type == "string":
        return True
    (row,) = table.ask(f"select try_cast({text(str(value))} as {column.type}) is not null as fits")
    return bool(row["fits"])


def _describe_pattern(arguments: Arguments, changed: Mapping[str, str]) -> str:
    replacement = arguments.text("replacement") or "nothing"
    return f"In {join_names(changed) or 'no column'}, what matches {arguments.text('pattern')} became {replacement}"


def _describe_values(arguments: Arguments, changed: Mapping[str, str]) -> str:
    values = cast("Mapping[object, object]", arguments.value("values"))
    pairs = ", ".join(f"{old} by {'nothing' if new is None else new}" for old, new in values.items())
    return f"Replaced {pairs} in {join_names(changed) or 'no column'}"


def _guess(name: str, replaced: str, why: str) -> Guess:
    column = quoted(name)
    message = concat_text(text(f"{name} was '"), column, text(f"'; it was changed assuming that {why}."))
    return Guess(name, "assumed", f"not ({replaced} <=> {column})", message)
