"""Put something else where a pattern matches."""

from __future__ import annotations

from whence.cleaning.chosen import Chosen
from whence.cleaning.lens import Cleaned, Guess, Lens, LensInput
from whence.cleaning.parameter import Parameter
from whence.cleaning.sql import quoted, text, words
from whence.model.errors import UserError, WhenceError


class Replace(Lens):
    """What matches a pattern becomes something else. Say what you assume, and each changed cell says it, too."""

    name = "replace"
    title = "Replace by pattern"
    guesses = "each changed cell, if you say what you assume"
    parameters = (
        Parameter("column", "column", "the column to change", is_required=True),
        Parameter("pattern", "text", "a regular expression, as Java reads it", is_required=True),
        Parameter("replacement", "text", "what stands in its place; $1 is the first group", ""),
        Parameter("assuming", "text", "why this is right, if that is not certain"),
    )

    def clean(self, given: LensInput, chosen: Chosen) -> Cleaned:
        (column,) = given.text_columns((chosen.column("column"),))
        read, pattern, replacement = quoted(column.name), chosen.text("pattern"), chosen.text("replacement")
        _check_pattern(given, pattern, replacement)
        replaced = f"regexp_replace({read}, {text(pattern)}, {text(replacement)})"
        why = chosen.maybe("assuming")
        message = words(text(f"{column.name} was '"), read, text(f"'; it was changed assuming that {why}."))
        is_changed = f"not ({replaced} <=> {read})"
        assumed = f", assuming that {why}" if why else ""
        return Cleaned(
            given.outputs({column.name: replaced}),
            f"In {column.name}, what matches {pattern} became {replacement or 'nothing'}{assumed}.",
            (Guess(column.name, "assumed", is_changed, message),) if why else (),
        )


def _check_pattern(given: LensInput, pattern: str, replacement: str) -> None:
    try:
        given.ask(f"select regexp_replace('', {text(pattern)}, {text(replacement)}) as v")
    except WhenceError as error:
        raise UserError(f"{pattern!r} is not a regular expression that Spark understands.") from error
