"""Writes a formula as text, with references as the sheet stands now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from whence.notebook.sheet.formula.errors import REF
from whence.notebook.sheet.formula.references import letters_of
from whence.notebook.sheet.formula.tree import (
    Area,
    At,
    Binary,
    Call,
    Cell,
    Copied,
    Logical,
    Missing,
    Number,
    Outside,
    Row,
    RowOffset,
    Stored,
    Text,
    Tree,
    Unary,
    Wrong,
)  # fmt: skip

_STRENGTH = {"=": 1, "<>": 1, "<": 1, ">": 1, "<=": 1, ">=": 1, "&": 2, "+": 3, "-": 3, "*": 4, "/": 4, "^": 6}


@dataclass(frozen=True)
class SheetLayout:
    """Where a sheet shows its columns and rows at this moment."""

    columns: Mapping[str, int]
    """The index of each shown column, by its id."""
    position: Callable[[str], int | None]
    """Returns the position of the row with an address; None if it is not shown."""
    count: int
    """The number of rows shown."""

    def text(self, tree: Tree, row: int) -> str:
        """Return the formula as a user would type it in the row at this position."""
        return "=" + self._text(tree, row, 0)

    def _text(self, tree: Tree, row: int, least: float) -> str:  # noqa: C901 - a table of nodes
        match tree:
            case Number(value):
                return repr(value)
            case Text(value):
                return '"' + value.replace('"', '""') + '"'
            case Logical(value):
                return "TRUE" if value else "FALSE"
            case Wrong(code, _):
                return code
            case Missing():
                return ""
            case Cell(column, place):
                return self._corner(column, place, row)
            case Stored(column):
                return self._corner(column, RowOffset(0), row)
            case Copied(value):
                return self._text(value, row, least)
            case Outside(dataset, column):
                return f"{dataset}[{column}]" if dataset.isidentifier() else f"'{dataset}'[{column}]"
            case Area():
                return self._area(tree, row)
            case Unary(op, of):
                inner = self._text(of, row, 7)  # the strength of a sign in `parse`
                return f"{inner}%" if op == "%" else f"{op}{inner}"
            case Binary(op, left, right):
                strength = _STRENGTH[op]
                text = f"{self._text(left, row, strength)}{op}{self._text(right, row, strength + 0.5)}"
                return f"({text})" if strength < least else text
            case Call(name, args):
                return f"{name}({','.join(self._text(arg, row, 0) for arg in args)})"

    def _area(self, area: Area, row: int) -> str:
        ends = area.columns[0], area.columns[-1]
        if area.first is None or area.last is None:
            letters = [self._letters(each) for each in ends]
            return REF if None in letters else ":".join(map(str, letters))
        corners = [self._corner(ends[0], area.first, row), self._corner(ends[1], area.last, row)]
        return REF if REF in corners else ":".join(corners)

    def _corner(self, column: str, place: Row, row: int) -> str:
        letters = self._letters(column)
        position = row + place.by if isinstance(place, RowOffset) else self.position(place.row)
        if letters is None or position is None or not 0 <= position < self.count:
            return REF
        return f"{letters}{'$' if isinstance(place, At) else ''}{position + 1}"

    def _letters(self, column: str) -> str | None:
        number = self.columns.get(column)
        return None if number is None else letters_of(number)
