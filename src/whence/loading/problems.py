"""The problems that a place in a file can have, and the message for each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from whence.loading.other_readings import ends, other_readings
from whence.loading.tally import Reading
from whence.model.caveat import Caveat

FAMILY = "load"
MAY_BE = " It may be "
"""What stands before the meanings of a text that fits its column in no way."""
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that did not fit: at a cell, a row (no column), a column (no row) or the file as a whole."""

    row: int | None
    column: str | None
    line: int | None
    text: str | None
    kind: str
    message: str
    low: str | None = None
    high: str | None = None
    """Between which values the cell lies, as text of its type, if what stands there can be read in another way."""

    def moved(self, rows: int) -> Problem:
        """Return the problem with its row number raised by `rows`."""
        return self if self.row is None else replace(self, row=self.row + rows)

    def as_caveat(self) -> Caveat:
        """Return the problem as a caveat of the dataset."""
        return Caveat(
            message=self.message,
            family=FAMILY,
            row=self.row,
            column=self.column,
            line=self.line,
            text=self.text,
            low=self.low,
            high=self.high,
        )


def quoted(text: str) -> str:
    """Return text as shown in a sentence: in quotes, with escapes for invisible letters, and cut if it is long.

    >>> quoted("a\\tb")
    "'a\\\\tb'"
    """
    shown = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
    return "'" + "".join(c if c.isprintable() else repr(c)[1:-1] for c in shown) + "'"


_WISHES = {
    "thousands": "double",
    "yes or no": "boolean",
    "mixed types": "double",
    "leading zero": "double",
    "mixed dates": "date",
    "no such dates": "date",
}


def as_text(column: str) -> str:
    """Return the hint on how to keep a column as text although it has a type."""
    return f"; types={{{column!r}: 'string'}} keeps the text"


def as_type(column: str, kind: str) -> str:
    """Return the hint on how to give a column a type although it was kept as text for this reason."""
    return f"; types={{{column!r}: {_WISHES[kind]!r}}} reads it all the same" if kind in _WISHES else ""


def misfit(row: int, column: str, line: int, text: str, noun: str, reading: Reading | None = None) -> Problem:
    """Return the problem of a cell whose text is not of the column's type, with what it could mean in that type."""
    message = f"{place_words(text, column, line)}, is not {noun}; it is kept as text and the cell is empty."
    meanings = () if reading is None else other_readings(text, reading)
    low, high = (None, None) if reading is None else ends(meanings, reading.type)
    if low is not None:
        message += f"{MAY_BE}{' or '.join(meanings)}."
    return Problem(row=row, column=column, line=line, text=text, kind="misfit", message=message, low=low, high=high)


def out_of_range(row: int, column: str, line: int, text: str, noun: str) -> Problem:
    """Return the problem of a cell whose text has the right form but a value that the type cannot hold."""
    message = (
        f"{place_words(text, column, line)}, is out of range for {noun}; it is kept as text and the cell is empty."
    )
    return Problem(row=row, column=column, line=line, text=text, kind="out of range", message=message)


def cell(row: int, column: str, line: int, text: str, kind: str, what: str) -> Problem:
    """Return the problem of a cell that is kept as it is, with a doubt."""
    return Problem(
        row=row, column=column, line=line, text=text, kind=kind, message=f"{place_words(text, column, line)}, {what}."
    )


def short_row(row: int, line: int, text: str, fields: int, names: list[str]) -> Iterable[Problem]:
    """Yield the problems of a row that ends too early: one for the row, and one for each missing cell."""
    message = f"Line {line} has {fields} fields instead of {len(names)}; the cells that are not in the file are empty."
    yield Problem(row=row, column=None, line=line, text=text, kind="short row", message=message)
    for name in names[fields:]:
        yield Problem(
            row=row,
            column=name,
            line=line,
            text=None,
            kind="not in file",
            message=f"Line {line} ends before column {name}; the cell is empty.",
        )


def long_row(row: int, line: int, text: str, fields: int, width: int) -> Problem:
    """Return the problem of a row with more fields than the header. It keeps the extra text."""
    message = f"Line {line} has {fields} fields instead of {width}; the extra text {quoted(text)} is kept in this note."
    return Problem(row=row, column=None, line=line, text=text, kind="long row", message=message)


def of_column(column: str, kind: str, message: str, text: str | None = None) -> Problem:
    """Return a problem of a column as a whole."""
    return Problem(row=None, column=column, line=None, text=text, kind=kind, message=message)


def of_file(kind: str, message: str, line: int | None = None, text: str | None = None) -> Problem:
    """Return a problem of the file as a whole."""
    return Problem(row=None, column=None, line=line, text=text, kind=kind, message=message)


def place_words(text: str, column: str, line: int) -> str:
    """Return a text and its place, for the beginning of a message."""
    return f"{quoted(text)} in column {column}, line {line}"
