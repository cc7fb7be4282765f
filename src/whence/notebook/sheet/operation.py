"""The base class of sheet operations: one edit as data, which a sheet can apply again to other versions of the data."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from typing import Any, ClassVar, Self

from whence.notebook.sheet.content import Formula, Input, from_document, to_document
from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.formula import tree as trees
from whence.notebook.sheet.formula.tree import Area, At, Tree
from whence.notebook.sheet.state import SheetState

_ROWS = ("row", "after", "before", "last")
"""The fields that hold the address of one row."""


@dataclass(frozen=True)
class SheetOperation(ABC):
    """One edit of a sheet. It names rows and columns by address, so that it also applies to other versions of the data.

    Addresses are those of `addresses.py`, such as `k:` and a row key.
    """

    kind: ClassVar[str]

    id: str

    @abstractmethod
    def apply(self, state: SheetState, cells: Evaluator) -> str:
        """Apply the operation to the state.

        Return "", or which part could not be applied, in words after "because". Raise CannotApply if nothing could.
        """

    @abstractmethod
    def describe(self, state: SheetState) -> str:
        """Return a sentence about the operation, with columns and rows as the sheet shows them before it is applied."""

    def to_json(self) -> dict[str, Any]:
        """Return the operation as JSON."""
        # The names of fields are keys of stored JSON: renaming one makes saved sheets unreadable.
        parts = {each.name: _out(getattr(self, each.name)) for each in fields(self)}
        return {"kind": self.kind, **parts}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        """Return the operation that `to_json` wrote. A field that has a default may be missing."""
        required = [each.name for each in fields(cls) if each.default is MISSING]
        for name in required:
            if name not in content:
                raise ValueError(f"its field {name} is missing")
        for name in content.keys() - {each.name for each in fields(cls)} - {"kind"}:
            raise ValueError(f"it has no use for the field {name}")
        given: dict[str, Any] = {name: _in(name, value) for name, value in content.items() if name != "kind"}
        return cls(**given)

    def addresses(self) -> Iterator[str]:
        """Yield the address of each row that the operation names, also inside its formulas."""
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name in _ROWS:
                yield from () if value is None else (value,)
            elif each.name == "rows":
                yield from value
            elif isinstance(value, Formula):
                yield from _rows_in(value.tree)
            elif isinstance(value, trees.Tree):
                yield from _rows_in(value)
            elif each.name == "contents":
                yield from (row for line in value for cell in line for row in _rows_of(cell))

    def renamed(self, names: Mapping[str, str]) -> Self:
        """Return the same operation with some rows under other addresses."""

        def name(row: str) -> str:
            return names.get(row, row)

        changes: dict[str, Any] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name in _ROWS and value is not None:
                changes[each.name] = name(value)
            elif each.name == "rows":
                changes[each.name] = tuple(map(name, value))
            elif isinstance(value, Formula):
                changes[each.name] = _renamed_content(value, name)
            elif isinstance(value, trees.Tree):
                changes[each.name] = _renamed(value, name)
            elif each.name == "contents":
                changes[each.name] = tuple(tuple(_renamed_content(cell, name) for cell in line) for line in value)
        return replace(self, **changes)


def _rows_of(content: Input) -> Iterator[str]:
    return _rows_in(content.tree) if isinstance(content, Formula) else iter(())


def _renamed_content(content: Input, name: Callable[[str], str]) -> Input:
    return replace(content, tree=_renamed(content.tree, name)) if isinstance(content, Formula) else content


def _rows_in(tree: Tree) -> Iterator[str]:
    for node in trees.walk(tree):
        places = (
            (node.row,) if isinstance(node, trees.Cell) else (node.first, node.last) if isinstance(node, Area) else ()
        )
        yield from (place.row for place in places if isinstance(place, At))


def _renamed(tree: Tree, name: Callable[[str], str]) -> Tree:
    def change(part: object) -> object:
        if isinstance(part, At):
            return At(name(part.row))
        if isinstance(part, tuple):
            return tuple(map(change, part))
        if isinstance(part, trees.Tree):
            inner: dict[str, Any] = {each.name: change(getattr(part, each.name)) for each in fields(part)}
            return replace(part, **inner)
        return part

    return change(tree)  # type: ignore[return-value]


def _out(value: object) -> object:
    if isinstance(value, Input):
        return to_document(value)
    if isinstance(value, trees.Tree):
        return trees.to_json(value)
    if isinstance(value, tuple):
        return [_out(each) for each in value]
    return value


def _in(name: str, value: Any) -> object:  # noqa: ANN401 - JSON
    # JSON does not keep the class of a value, so the name of the field says how to read it.
    if name == "content":
        return None if value is None else from_document(value)
    if name == "contents":
        return tuple(tuple(from_document(each) for each in line) for line in value)
    if name == "where":
        return None if value is None else trees.from_json(value)
    return tuple(_in("", each) for each in value) if isinstance(value, list) else value
