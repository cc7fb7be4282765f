"""Take a text apart into several columns."""

from __future__ import annotations

import re

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable
from whence.transformations.plan import Guess, Output, TransformationPlan
from whence.transformations.sql import concat_text, quoted, text
from whence.transformations.template import Read, Statistic, Template
from whence.transformations.transformation import Transformation

_MOST_PARTS = 100


class SplitColumn(Transformation):
    """Make a column of each part of a text; the last takes what is left over, and a part that is not there is
    missing."""

    name = "split_column"
    title = "Split a column"
    group = "Clean"
    pattern = "vertical augmentation"
    provenance = "each part comes from the cell that was split, and how many there are from the column"
    guesses = "the parts of each text that has more or fewer of them than expected"
    parameters = (
        Parameter("column", "column", "the column to split", is_required=True),
        Parameter("separator", "text", "what stands between the parts", is_required=True),
        Parameter("into", "texts", "names for the parts; column_1, column_2 and so on if left open"),
        Parameter("is_pattern", "flag", "whether the separator is a regular expression", False),
        Parameter("keep", "flag", "whether the column itself stays", False),
    )
    example = {"column": "place", "separator": ",", "into": ["town", "country"]}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        column, separator = arguments.column("column"), arguments.text("separator")
        if column.type != "string":
            raise UserError(f"{column.name} holds {column.type}; only text can be split.")
        if not separator:
            raise UserError("split_column needs a separator that is not empty.")
        pattern = text(separator if arguments.flag("is_pattern") else re.escape(separator))
        read = quoted(column.name)
        count = f"size(split({read}, {pattern}))"
        names = list(arguments.texts("into")) or _learned_names(table, column.name, count)
        for name in names:
            if arguments.flag("keep") or name != column.name:
                table.new_name(name)
        parts = [Output(n, f"trim(get(split({read}, {pattern}, {len(names)}), {i}))") for i, n in enumerate(names)]
        is_odd = f"{read} is not null and {count} <> {len(names)}"
        message = concat_text(
            text(f"{column.name} is expected to have {len(names)} parts, but '"), read, "'\\' has '", count, "'.'"
        )
        shown = [
            each
            for output in table.outputs()
            for each in (
                [output] if output.name != column.name else [*([output] if arguments.flag("keep") else []), *parts]
            )
        ]
        how = "" if arguments.has("into") else ", the most frequent number of parts"
        learned = Statistic(f"parts of {column.name}", (column.name,), len(names), non_null=(column.name,))
        return TransformationPlan(
            f"{column.name} is split at {separator!r} into {', '.join(names)}{how}.{table.learned_in_doubt(column)}",
            tuple(shown),
            (Template((Read(column.name),), tuple(names), () if arguments.has("into") else (learned,)),),
            tuple(Guess(name, "split", is_odd, message) for name in names),
            {"parts": len(names)},
            replaced=(column.name,) if column.name in names else (),
        )


def _learned_names(table: InputTable, column: str, count: str) -> list[str]:
    (parts,) = table.learn(f"mode({count}, true)", where=f"{quoted(column)} is not null")
    number = parts if isinstance(parts, int) else 1
    if number > _MOST_PARTS:
        raise UserError(f"{column} mostly has {number} parts, more than {_MOST_PARTS}.", "Give names for the parts.")
    return [f"{column}_{n + 1}" for n in range(number)]
