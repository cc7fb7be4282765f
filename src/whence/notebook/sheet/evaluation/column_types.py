"""The type of each column of a sheet, from what its cells hold and what its formulas give."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from whence.notebook.sheet.content import Content, Copy, Formula, Value
from whence.notebook.sheet.evaluation.version_cache import VersionCache
from whence.notebook.sheet.formula.tree import Area, Cell, Outside, Stored, Tree, walk
from whence.notebook.sheet.formula.types import TypeOf, formula_type, gives_text
from whence.notebook.sheet.graph import circles
from whence.notebook.sheet.ladder import joined, kind_of, type_of_value
from whence.notebook.sheet.state import SheetColumn, SheetState


class ColumnTypes:
    """Finds the type of each column, its distinct formulas, and whether it reads itself."""

    def __init__(self, state: SheetState) -> None:
        self._state = state
        self._types = VersionCache(state, self._find_types)
        self._circles = VersionCache(state, self._find_circles)
        self._trees: dict[str, tuple[int, list[Tree]]] = {}
        self._outside: dict[str, tuple[int, frozenset[str]]] = {}

    @property
    def all(self) -> dict[str, str]:
        """The type of each column that is shown."""
        return self._types.now

    def is_mixed(self, column: str) -> bool:
        """Return whether a column is text, or timestamps, only because no other type holds all its cells.

        Formulas then see each cell as it was entered.
        """
        if kind_of(self.all[column]) not in ("text", "timestamp"):
            return False  # a number of another type is still the same number
        known = self._state.columns[column]
        types = [*self._fixed_types(known), *(None if gives_text(tree) else "" for tree in self.trees(known))]
        return any(each is not None and kind_of(each) != kind_of(self.all[column]) for each in types)

    def is_text(self, column: SheetColumn) -> bool:
        """Return whether a column is text by its data, or by what the whole column was set to, despite single cells."""
        whole = next((layer.content for layer in reversed(column.layers) if layer.hides_data), None)
        return (column.type if whole is None else self.of_content(whole)) == "string"

    def is_circular(self, column: str) -> bool:
        """Return whether the formulas of a column read the column itself, in other rows or through other columns."""
        return column in self._circles.now

    def circle(self, column: str) -> list[str]:
        """Return the columns that a circular column reads and that read it, itself included."""
        return self._circles.now[column]

    def of_content(self, content: Content) -> str | None:
        """Return the type of a value or a copy; None for other contents."""
        if isinstance(content, Copy):
            return self._state.source.types[content.column]
        return type_of_value(content.value) if isinstance(content, Value) else None

    def trees(self, column: SheetColumn) -> list[Tree]:
        """Return the distinct formulas of a column."""
        known = self._trees.get(column.id)
        if known is None or known[0] != column.version:
            known = self._trees[column.id] = column.version, _find_trees(column)
        return known[1]

    def outside_names(self) -> frozenset[str]:
        """Return the names of the other datasets that formulas of the sheet look into."""
        columns = (self._state.columns[each] for each in self._state.shown)
        return frozenset().union(*(self._outside_of(column) for column in columns if column.has_formulas))

    def _outside_of(self, column: SheetColumn) -> frozenset[str]:
        known = self._outside.get(column.id)
        if known is None or known[0] != column.version:
            nodes = (node for tree in self.trees(column) for node in walk(tree))
            names = frozenset(node.dataset for node in nodes if isinstance(node, Outside))
            known = self._outside[column.id] = column.version, names
        return known[1]

    def _find_types(self) -> dict[str, str]:
        columns = [self._state.columns[column] for column in self._state.shown]
        fixed = {column.id: joined(self._fixed_types(column)) for column in columns}
        trees = {column.id: self.trees(column) for column in columns if column.has_formulas}
        found = dict(fixed)
        # Columns may read each other: repeat to a fixed point. Each turn takes some column a step up the ladder.
        for _ in range(len(columns) * 8 + 1):
            before = dict(found)
            for column, each in trees.items():
                found[column] = joined([fixed[column], *(formula_type(tree, self._typed(before)) for tree in each)])
            if found == before:
                break
        return {column: type_name or "string" for column, type_name in found.items()}

    def _typed(self, known: Mapping[str, str | None]) -> TypeOf:
        """Return a lookup of column types: those found so far, or those of the data below or of another dataset."""

        def type_of(node: Tree, column: str) -> str | None:
            if isinstance(node, Outside):
                return self._state.outside.type_of(node)
            return self._state.columns[column].type if isinstance(node, Stored) else known.get(column)

        return type_of

    def _fixed_types(self, column: SheetColumn) -> Iterator[str | None]:
        """Yield the types of the cells without formulas. Data that no cell shows does not count."""
        yield column.type if column.base is None or not column.hides_data else None
        for layer in column.layers:
            yield self.of_content(layer.content)
        yield from (type_name for type_name, count in column.held.items() if count)

    def _find_circles(self) -> dict[str, list[str]]:
        shown = [self._state.columns[each] for each in self._state.shown]
        needs = {each.id: set(_columns(self.trees(each))) if each.has_formulas else set() for each in shown}
        return circles(needs)


def _find_trees(column: SheetColumn) -> list[Tree]:
    layers = (layer.content for layer in column.layers)
    cells = (entry.content for entry in column.cells.values()) if column.formulas else iter(())
    found = (each for contents in (layers, cells) for each in contents if isinstance(each, Formula))
    return list(dict.fromkeys(each.tree for each in found))


def _columns(trees: Iterable[Tree]) -> Iterator[str]:
    for tree in trees:
        for node in walk(tree):
            if isinstance(node, Cell):
                yield node.column
            elif isinstance(node, Area):
                yield from node.columns
