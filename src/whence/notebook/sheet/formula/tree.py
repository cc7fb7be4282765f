"""The tree of a formula, and its form as JSON.

Columns are named by id and rows by distance or by address, so a formula means the same cells after columns were moved
or renamed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields

Json = list["Json"] | str | float | bool | None


@dataclass(frozen=True)
class RowOffset:
    """The row this many rows further down in the sheet: 0 is the formula's own."""

    by: int


@dataclass(frozen=True)
class At:
    """One row by its address, wherever it stands."""

    row: str


Row = RowOffset | At


@dataclass(frozen=True)
class Number:
    """A number as written."""

    value: float


@dataclass(frozen=True)
class Text:
    """A text in quotation marks."""

    value: str


@dataclass(frozen=True)
class Logical:
    """TRUE or FALSE."""

    value: bool


@dataclass(frozen=True)
class Wrong:
    """An error that stands in the formula itself, such as a reference to nothing."""

    code: str
    why: str


@dataclass(frozen=True)
class Missing:
    """An argument that was left out, or an empty cell that a formula replaced."""


@dataclass(frozen=True)
class Cell:
    """One cell of the sheet."""

    column: str
    row: Row


@dataclass(frozen=True)
class Area:
    """Cells of several columns between two rows; without rows, whole columns."""

    columns: tuple[str, ...]
    first: Row | None = None
    last: Row | None = None


@dataclass(frozen=True)
class Stored:
    """The value of the data in a column of the same row, whatever the sheet shows there."""

    column: str


@dataclass(frozen=True)
class Copied:
    """A value, and the cell of the data it was copied from: row and column of the source."""

    value: Tree
    row: int
    column: str


@dataclass(frozen=True)
class Outside:
    """A whole column of another dataset, both by name."""

    dataset: str
    column: str


@dataclass(frozen=True)
class Unary:
    """An operand with a sign before it, or a percent sign after it."""

    op: str
    of: Tree


@dataclass(frozen=True)
class Binary:
    """Two operands and the operator between them."""

    op: str
    left: Tree
    right: Tree


@dataclass(frozen=True)
class Call:
    """A call of a function, by its name in capitals."""

    name: str
    args: tuple[Tree, ...]


Tree = Number | Text | Logical | Wrong | Missing | Cell | Area | Stored | Copied | Outside | Unary | Binary | Call

# These names are stored with every saved formula: renaming a class needs a name for the old JSON.
_NODES: dict[str, Callable[..., object]] = {
    each.__name__.lower(): each
    for each in (
        RowOffset,
        At,
        Number,
        Text,
        Logical,
        Wrong,
        Missing,
        Cell,
        Area,
        Stored,
        Copied,
        Outside,
        Unary,
        Binary,
        Call,
    )
}


def walk(tree: Tree) -> Iterator[Tree]:
    """Yield the tree and all nodes below it."""
    yield tree
    match tree:
        case Unary(_, of) | Copied(of):
            yield from walk(of)
        case Binary(_, left, right):
            yield from walk(left)
            yield from walk(right)
        case Call(_, args):
            for arg in args:
                yield from walk(arg)


def outside_lookup(tree: Tree) -> tuple[Tree, Outside, Outside] | None:
    """Return what a lookup in another dataset looks for, in which column, and the column it returns; else None."""
    match tree:
        case Call("XLOOKUP", (wanted, Outside() as keys, Outside() as values, *_)) if keys.dataset == values.dataset:
            return wanted, keys, values
    return None


def to_json(tree: Tree | Row) -> Json:
    """Return a node as a list: its name, then its parts.

    >>> to_json(Binary("*", Cell("c:price", RowOffset(0)), Number(1.1)))
    ['binary', '*', ['cell', 'c:price', ['rowoffset', 0]], ['number', 1.1]]
    """
    return [type(tree).__name__.lower(), *(_part_out(getattr(tree, each.name)) for each in fields(tree))]


def from_json(content: object) -> Tree:
    """Return the tree that `to_json` wrote."""
    tree = _part_in(content)
    assert isinstance(tree, Tree)
    return tree


def _part_out(part: object) -> Json:
    if isinstance(part, tuple):
        return ["list", *(_part_out(each) for each in part)]
    if part is None or isinstance(part, str | int | float | bool):
        return part
    return to_json(part)  # type: ignore[arg-type]


def _part_in(content: object) -> object:
    if not isinstance(content, list):
        return content
    parts = [_part_in(each) for each in content[1:]]
    return tuple(parts) if content[0] == "list" else _NODES[content[0]](*parts)
