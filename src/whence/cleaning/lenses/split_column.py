"""Take a text apart into several columns."""

from __future__ import annotations

import re

from whence.cleaning.chosen import Chosen
from whence.cleaning.lens import Cleaned, Guess, Lens, LensInput, Output
from whence.cleaning.parameter import Parameter
from whence.cleaning.sql import quoted, text, words
from whence.model.errors import UserError

_MOST_PARTS = 100


class SplitColumn(Lens):
    """Each part becomes a column; the last one takes what is left over, a part that is not there is missing."""

    name = "split_column"
    title = "Split a column"
    guesses = "the parts of each text that has more or fewer of them than expected"
    parameters = (
        Parameter("column", "column", "the column to split", is_required=True),
        Parameter("separator", "text", "what stands between the parts", is_required=True),
        Parameter("into", "texts", "names for the parts; column_1, column_2 and so on if left open"),
        Parameter("is_pattern", "flag", "whether the separator is a regular expression", False),
        Parameter("keep", "flag", "whether the column itself stays", False),
    )

    def clean(self, given: LensInput, chosen: Chosen) -> Cleaned:
        column, separator = chosen.column("column"), chosen.text("separator")
        if column.type != "string":
            raise UserError(f"{column.name} holds {column.type}; only text can be split.")
        if not separator:
            raise UserError("split_column needs a separator that is not empty.")
        pattern = text(separator if chosen.flag("is_pattern") else re.escape(separator))
        read = quoted(column.name)
        count = f"size(split({read}, {pattern}))"
        names = list(chosen.texts("into")) or _learned_names(given, column.name, count)
        for name in names:
            if chosen.flag("keep") or name != column.name:
                given.free_name(name)
        parts = [Output(n, f"trim(get(split({read}, {pattern}, {len(names)}), {i}))") for i, n in enumerate(names)]
        is_odd = f"{read} is not null and {count} <> {len(names)}"
        message = words(
            text(f"{column.name} is expected to have {len(names)} parts, but '"), read, "'\\' has '", count, "'.'"
        )
        shown = [
            each
            for output in given.outputs()
            for each in (
                [output] if output.name != column.name else [*([output] if chosen.flag("keep") else []), *parts]
            )
        ]
        how = "" if chosen.has("into") else ", the most frequent number of parts"
        return Cleaned(
            tuple(shown),
            f"{column.name} is split at {separator!r} into {', '.join(names)}{how}.{given.learned_in_doubt(column)}",
            tuple(Guess(name, "split", is_odd, message) for name in names),
            {"parts": len(names)},
        )


def _learned_names(given: LensInput, column: str, count: str) -> list[str]:
    (parts,) = given.learn(f"mode({count}, true)", where=f"{quoted(column)} is not null")
    number = parts if isinstance(parts, int) else 1
    if number > _MOST_PARTS:
        raise UserError(f"{column} mostly has {number} parts, more than {_MOST_PARTS}.", "Give names for the parts.")
    return [f"{column}_{n + 1}" for n in range(number)]
