"""Resolves references in formulas: `B2` by the layout of the sheet when it is typed, `[price]` by the column's name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from whence.notebook.sheet.formula.errors import NAME, REF, error
from whence.notebook.sheet.formula.tree import Area, At, Cell, Outside, Row, RowOffset, Tree, Wrong

# A $ before the letters changes nothing: a formula always keeps its columns by id.
_CELL = re.compile(r"(\$?)([A-Za-z]{1,3})(\$?)([0-9]{1,9})")
_COLUMN = re.compile(r"\$?([A-Za-z]{1,3})")
_NAMED = re.compile(r"\[(@?)(.+)\]")
_OUTSIDE = re.compile(r"(?:'([^']+)'|([^\[\]'!:]+))\[([^\[\]@]+)\]")
"""A column of another dataset: prices[price], or 'old prices'[price] if the name has spaces."""


@dataclass(frozen=True)
class Place:
    """Where a formula stands: the columns of its sheet, its own row counted from 0, and the address of any row."""

    columns: Sequence[tuple[str, str]]
    """Id and name of each, from left to right."""
    row: int
    count: int
    address: Callable[[int], str]

    def refer(self, text: str) -> Tree:
        """Return the cell or area that a reference means here; a `Wrong` if there is none."""
        named = _NAMED.fullmatch(text)
        if named:
            return self._by_name(named[2], is_cell=bool(named[1]))
        outside = _OUTSIDE.fullmatch(text)
        if outside:
            return Outside((outside[1] or outside[2]).strip(), outside[3].strip())
        first, _, last = text.partition(":")
        if not last:
            return self._cell(first)
        return self._area(first, last)

    def _by_name(self, name: str, *, is_cell: bool) -> Tree:
        wanted = name.strip().lower()
        for column, known in self.columns:
            if known.lower() == wanted:
                return Cell(column, RowOffset(0)) if is_cell else Area((column,))
        return _wrong(REF, f"There is no column {name}.")

    def _cell(self, text: str) -> Tree:
        found = _CELL.fullmatch(text)
        if found is None:
            named = next((name for _, name in self.columns if name.lower() == text.lower()), None)
            hint = "" if named is None else f" The value of that column is [@{named}]."
            return _wrong(NAME, f"{text} is neither a cell nor a function.{hint}")
        column, row = self._column(found[2]), self._row(found)
        if column is None or row is None:
            return _wrong(REF, f"There is no cell {text.replace('$', '')}.")
        return Cell(column, row)

    def _area(self, first: str, last: str) -> Tree:
        letters = [_COLUMN.fullmatch(each) for each in (first, last)]
        if letters[0] and letters[1]:
            columns = self._between(letters[0][1], letters[1][1])
            return Area(columns) if columns else _wrong(REF, f"There are no columns {first}:{last}.")
        corners = [_CELL.fullmatch(each) for each in (first, last)]
        if not corners[0] or not corners[1]:
            return _wrong(NAME, f"{first}:{last} is no range of cells.")
        rows = [self._row(each) for each in corners if each]
        columns = self._between(corners[0][2], corners[1][2])
        if not columns or None in rows:
            return _wrong(REF, f"The range {first}:{last} leaves the sheet.")
        return Area(columns, rows[0], rows[1])

    def _between(self, first: str, last: str) -> tuple[str, ...]:
        low, high = sorted((number_of(first), number_of(last)))
        return tuple(column for column, _ in self.columns[low : high + 1]) if high < len(self.columns) else ()

    def _column(self, letters: str) -> str | None:
        number = number_of(letters)
        return self.columns[number][0] if number < len(self.columns) else None

    def _row(self, found: re.Match[str]) -> Row | None:
        row = int(found[4]) - 1
        if not 0 <= row < self.count:
            return None
        # B$2 stays with that row wherever it goes; B2 is so many rows away, whatever stands there later.
        return At(self.address(row)) if found[3] else RowOffset(row - self.row)


def number_of(letters: str) -> int:
    """Return the index of a column, from 0, by its letters.

    >>> number_of("A"), number_of("aa")
    (0, 26)
    """
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number - 1


def letters_of(number: int) -> str:
    """Return the letters of the column at this index, from 0.

    >>> letters_of(0), letters_of(26)
    ('A', 'AA')
    """
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def _wrong(code: str, why: str) -> Wrong:
    known = error(code, why)
    return Wrong(known.code, known.why)
