"""Find out what type the texts of a column are written in."""

from __future__ import annotations

from collections.abc import Iterator

from whence.model.parameter import Parameter
from whence.model.schema import Field
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable
from whence.transformations.plan import Guess, TransformationPlan
from whence.transformations.sql import concat_text, quoted, text
from whence.transformations.suggestion import ColumnLook, Suggestion
from whence.transformations.template import Read, Statistic, Template
from whence.transformations.transformation import Transformation

_FITS = {
    "boolean": r"lower({0}) in ('true', 'false')",
    "bigint": r"{0} rlike '^[+-]?[0-9]{{1,18}}$'",
    "double": r"{0} rlike '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$'",
    "date": r"{0} rlike '^[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}$' and try_cast({0} as date) is not null",
    "timestamp_ntz": (
        r"{0} rlike '^[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[ T][0-9]{{2}}:[0-9]{{2}}(:[0-9]{{2}}([.][0-9]+)?)?$' "
        r"and try_cast({0} as timestamp_ntz) is not null"
    ),
}
_WORDS = {"boolean": "true or false", "bigint": "a whole number", "double": "a number", "date": "a date",
          "timestamp_ntz": "a date with a time"}  # fmt: skip
_IS_CODE = "{0} rlike '^[+-]?0[0-9]|^[+-]?[0-9]{{19}}'"
"""A leading zero, or 19 digits and more, which may not fit a bigint: the text is a code, whatever else fits."""


class InferTypes(Transformation):
    """Give each text column the type that enough of its values fit; a value that does not fit becomes missing."""

    name = "infer_types"
    title = "Find out types"
    group = "Clean"
    provenance = "a cell comes from itself and from the type found, which comes from the column"
    guesses = "each value that does not fit the type of its column"
    parameters = (
        Parameter("columns", "columns", "the text columns to look at; all if left open"),
        Parameter("share", "number", "which part of the values must fit", 0.75),
    )
    example = {"columns": ["price"]}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        columns = table.text_columns(arguments.columns("columns"))
        types = _types(table, columns, arguments.number("share"))
        typed = {each: found for each, found in types.items() if found is not None}
        read = {each: f"trim({quoted(each.name)})" for each in typed}
        phrases = ", ".join(f"{each.name} is {_WORDS[found]}" for each, found in typed.items())
        return TransformationPlan(
            (f"By their values {phrases}." if typed else "No text column fits another type.")
            + table.learned_in_doubt(*columns),
            table.outputs({each.name: _converted(read[each], found) for each, found in typed.items()}),
            tuple(_template(each.name, found) for each, found in typed.items()),
            tuple(_misfit(each, read[each], found) for each, found in typed.items()),
            {"types": {each.name: found or "string" for each, found in types.items()}},
        )

    def suggest_for_column(self, look: ColumnLook) -> Iterator[Suggestion]:
        if look.writing == "numbers":
            name = look.column.name
            yield Suggestion(self.name, f"Most values of {name} are numbers, written as text.", {"columns": [name]})


def _template(name: str, found: str) -> Template:
    return Template((Read(name),), (name,), (Statistic(f"type of {name}", (name,), found, non_null=(name,)),))


def _types(table: InputTable, columns: tuple[Field, ...], share: float) -> dict[Field, str | None]:
    """Return the type of each column, None for text; of types that fit equally many values the first in `_FITS`."""
    counts = []
    for each in columns:
        value = f"trim({quoted(each.name)})"
        tests = [f"{value} <> ''", _IS_CODE.format(value), *(test.format(value) for test in _FITS.values())]
        counts += [f"count_if({test})" for test in tests]
    found = [int(str(count)) for count in table.learn(*counts)] if counts else []
    width = len(_FITS) + 2
    return {each: _type(found[number * width : (number + 1) * width], share) for number, each in enumerate(columns)}


def _type(counts: list[int], share: float) -> str | None:
    filled, codes, *fits = counts
    by_type = dict(zip(_FITS, fits, strict=True))
    if codes:
        by_type["bigint"] = by_type["double"] = 0
    best = max(by_type, key=lambda name: by_type[name])
    return best if filled and by_type[best] >= share * filled else None


def _converted(value: str, type_name: str) -> str:
    # Spark's own cast takes more than the test does ('1d' as a double, '1' as a boolean), so the test comes first.
    return f"if({_FITS[type_name].format(value)}, try_cast({value} as {type_name}), null)"


def _misfit(column: Field, value: str, type_name: str) -> Guess:
    is_misfit = f"{value} <> '' and not ({_FITS[type_name].format(value)})"
    message = concat_text(
        text("'"), quoted(column.name), text(f"' is not {_WORDS[type_name]}, so {column.name} is missing here.")
    )
    return Guess(column.name, "type", is_misfit, message)
