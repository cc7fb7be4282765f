"""Words such as `?` that are frequent in a column of text. They give one note about the column and flag no cell."""

from __future__ import annotations

import numpy as np

from whence.loading.problems import Problem, of_column, quoted
from whence.loading.tally import Tally
from whence.loading.words import Words

_PATTERN = r"\?+|-+|n/a|n\.a\."
"""Texts that hardly mean anything else. `none` or `unknown` may be answers, and `NA` a country."""
FREQUENT = 3
"""Minimum number of occurrences. A rarer word may be a typing error."""
_PREFIX = "missing word "


def look(words: Words, tally: Tally) -> None:
    """Count the values that may mean that a value is missing, by their text."""
    for place in np.flatnonzero(words.matches(_PATTERN, ignore_case=True)).tolist():
        tally.counts[_PREFIX + words.texts[place].as_py()] += int(words.counts[place])


def notes(column: str, tally: Tally) -> list[Problem]:
    """Return the notes on words that may mean missing, for a column that stays text."""
    found = {name.removeprefix(_PREFIX): count for name, count in tally.counts.items() if name.startswith(_PREFIX)}
    return [_note(column, text, count) for text, count in found.items() if count >= FREQUENT]


def _note(column: str, text: str, count: int) -> Problem:
    what = f"{count:,} values of {column} are {quoted(text)}; they may mean missing; nulls=[{text!r}] makes them empty."
    return of_column(column, "frequent word", what, text)
