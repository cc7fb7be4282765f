"""Put something else where a pattern matches."""

from __future__ import annotations

from whence.model.errors import UserError, WhenceError
from whence.model.parameter import Parameter
from whence.transformations.applied import Applied, Guess
from whence.transformations.chosen import Chosen
from whence.transformations.given import Given
from whence.transformations.sql import quoted, text, words
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation


class Replace(Transformation):
    """What matches a pattern becomes something else. Say what you assume, and each changed cell says it, too."""

    name = "replace"
    title = "Replace by pattern"
    group = "Clean"
    provenance = "a changed cell comes from itself"
    guesses = "each changed cell, if you say what you assume"
    parameters = (
        Parameter("column", "column", "the column to change", is_required=True),
        Parameter("pattern", "text", "a regular expression, as Java reads it", is_required=True),
        Parameter("replacement", "text", "what stands in its place; $1 is the first group", ""),
        Parameter("assuming", "text", "why this is right, if that is not certain"),
    )
    example = {"column": "phone", "pattern": "^00", "replacement": "+"}

    def apply(self, given: Given, chosen: Chosen) -> Applied:
        (column,) = given.text_columns((chosen.column("column"),))
        read, pattern, replacement = quoted(column.name), chosen.text("pattern"), chosen.text("replacement")
        _check_pattern(given, pattern, replacement)
        replaced = f"regexp_replace({read}, {text(pattern)}, {text(replacement)})"
        why = chosen.maybe("assuming")
        message = words(text(f"{column.name} was '"), read, text(f"'; it was changed assuming that {why}."))
        is_changed = f"not ({replaced} <=> {read})"
        assumed = f", assuming that {why}" if why else ""
        return Applied(
            f"In {column.name}, what matches {pattern} became {replacement or 'nothing'}{assumed}.",
            given.outputs({column.name: replaced}),
            (Template((Read(column.name),), (column.name,)),),
            (Guess(column.name, "assumed", is_changed, message),) if why else (),
            template_reading="changed",
        )


def _check_pattern(given: Given, pattern: str, replacement: str) -> None:
    try:
        given.ask(f"select regexp_replace('', {text(pattern)}, {text(replacement)}) as v")
    except WhenceError as error:
        raise UserError(f"{pattern!r} is not a regular expression that Spark understands.") from error
