"""Computes formula cells one by one, each after the cells it reads, and finds those that depend on themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from whence.notebook.sheet.evaluation.column_types import ColumnTypes
from whence.notebook.sheet.evaluation.formula_cells import FormulaCell, FormulaCells
from whence.notebook.sheet.evaluation.leaves import Leaves
from whence.notebook.sheet.evaluation.places import Place, ReferencePositions
from whence.notebook.sheet.evaluation.version_cache import VersionCache
from whence.notebook.sheet.formula.branches import Run
from whence.notebook.sheet.formula.calls import NOT_THERE, SheetCells, compiled
from whence.notebook.sheet.formula.errors import CYCLE, error
from whence.notebook.sheet.formula.tree import Area, Cell, Row, Tree, walk
from whence.notebook.sheet.graph import components
from whence.notebook.sheet.state import SheetState

LARGE = 2_000
"""From about this many cells on, an area is read from whole columns, and a formula in many rows is computed in bulk."""


class SingleCells:
    """Computes single cells and caches them until the sheet changes. Formulas read other cells from `sheet`."""

    def __init__(
        self,
        state: SheetState,
        types: ColumnTypes,
        places: ReferencePositions,
        formulas: FormulaCells,
        leaves: Leaves,
        sheet: SheetCells,
    ) -> None:
        self._state = state
        self._types = types
        self._places = places
        self._formulas = formulas
        self._leaves = leaves
        self._sheet = sheet
        self._runs: dict[Tree, Run] = {}
        self._memo: VersionCache[dict[Place, object]] = VersionCache(state, dict)

    def computed_value(self, place: Place) -> object:
        """Return the value of a formula cell that `compute` has computed."""
        return self._memo.now[place]

    def cell(self, column: str, row: Row, position: int) -> object:
        """Return the value of a cell that the formula at a position reads."""
        found = self._places.position(row, position)
        if found is None or column not in self._state.shown:
            return NOT_THERE
        place, memo = (column, found), self._memo.now
        if place not in memo:  # no formula: `compute` has put those into the memo before it runs what reads them
            memo[place] = self._leaves.single(column, found)
        return memo[place]

    def compute(self, places: Iterable[Place]) -> None:
        """Compute these formula cells, and before them all formula cells they read."""
        memo = self._memo.now
        trees: dict[Place, Tree] = {}

        def needs(place: Place) -> list[Place]:
            tree = trees[place] = self._tree(place)
            return [each for each in dict.fromkeys(self.needed(tree, place[1])) if each not in memo]

        for group, is_cycle in components([place for place in places if place not in memo], needs):
            for place in group:
                memo[place] = error(CYCLE) if is_cycle else self.run(trees[place])(place[1])

    def ordered(self, columns: Iterable[str]) -> Iterator[tuple[list[FormulaCell], bool]]:
        """Yield the formula cells of these columns, each after those it reads.

        The cells of a cycle come as one group. The flag says whether a group is a cycle.
        """
        wanted = dict.fromkeys(columns)
        start = [(column, position) for column in wanted for position in self._formulas.of(column)[0].tolist()]

        def needs(place: Place) -> list[Place]:
            found = dict.fromkeys(self.needed(self._tree(place), place[1]))
            return [each for each in found if each[0] in wanted]

        for group, is_cycle in components(start, needs):
            yield [(*place, self._tree(place)) for place in group], is_cycle

    def run(self, tree: Tree) -> Run:
        """Return a formula as a function of the position, compiled once."""
        if tree not in self._runs:
            self._runs[tree] = compiled(tree, self._sheet)
        return self._runs[tree]

    def needed(self, tree: Tree, position: int) -> Iterator[Place]:
        """Yield the formula cells that a formula at a position reads, except in areas read from whole columns."""
        for node in walk(tree):
            if isinstance(node, Cell):
                row = self._places.position(node.row, position)
                if row is None or node.column not in self._state.shown:
                    continue
                if self._formulas.at((node.column, row)) is not None:
                    yield node.column, row
            elif isinstance(node, Area):
                yield from self._needed_in(node, position)

    def reads_whole(self, column: str, first: int, last: int) -> bool:
        """Return whether a range of a column, both ends included, is read from the whole column.

        A circular column is not: to compute it as a whole, its own cells would have to be known.
        """
        return last - first >= LARGE and not self._types.is_circular(column)

    def _needed_in(self, area: Area, position: int) -> Iterator[Place]:
        ends = self._places.ends(area, position)
        if ends is None:
            return
        for column in area.columns:
            if column not in self._state.shown or not self._state.columns[column].has_formulas:
                continue
            if not self.reads_whole(column, *ends):
                yield from ((column, each) for each in self._formulas.between(column, *ends))

    def _tree(self, place: Place) -> Tree:
        tree = self._formulas.at(place)
        assert tree is not None
        return tree
