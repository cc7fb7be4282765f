"""Finds the rows for which a condition holds: for all rows at once, once for each distinct value, or row by row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow.compute as pc

from whence.notebook.sheet.evaluation.column_evaluator import ColumnEvaluator
from whence.notebook.sheet.evaluation.column_types import ColumnTypes
from whence.notebook.sheet.evaluation.column_values import ColumnValues
from whence.notebook.sheet.evaluation.single_cells import SingleCells
from whence.notebook.sheet.evaluation.vectors import Vectors
from whence.notebook.sheet.formula.aggregates import AGGREGATES
from whence.notebook.sheet.formula.area_functions import AREA_FUNCTIONS
from whence.notebook.sheet.formula.calls import compiled
from whence.notebook.sheet.formula.errors import FormulaError
from whence.notebook.sheet.formula.functions import is_true
from whence.notebook.sheet.formula.tree import Area, Cell, Outside, Row, RowOffset, Stored, Tree, walk
from whence.notebook.sheet.formula.vector import NotVector, evaluated
from whence.notebook.sheet.rowset import Mask, Rows
from whence.notebook.sheet.source import plain
from whence.notebook.sheet.state import Codes, SheetState


class Conditions:
    """Evaluates conditions. A row in which a condition is unknown or fails does not meet it."""

    def __init__(
        self, state: SheetState, types: ColumnTypes, singles: SingleCells, columns: ColumnEvaluator, vectors: Vectors
    ) -> None:
        self._state = state
        self._types = types
        self._singles = singles
        self._columns = columns
        self._vectors = vectors

    def holds(self, tree: Tree) -> Mask:
        """Return by position whether the condition holds."""
        positions = np.arange(self._state.order.count, dtype=np.int64)
        try:
            result = evaluated(tree, positions, self._vectors)
        except NotVector:
            return self._by_distinct(tree) if self._reads_one(tree) else self._one_by_one(tree, positions)
        holds: Mask = (result.data != 0) & ~result.missing
        return holds if result.codes is None else holds & (result.codes == 0)

    def _one_by_one(self, tree: Tree, positions: Rows) -> Mask:
        # Formula cells that the condition reads are computed first: running it looks them up.
        needed = {place for position in positions.tolist() for place in self._singles.needed(tree, position)}
        self._singles.compute(needed)
        run = self._singles.run(tree)
        return np.array([is_true(run(position)) is True for position in positions.tolist()], dtype=bool)

    def _reads_one(self, tree: Tree) -> bool:
        """Return whether a formula reads one column, in its own row, and nothing else."""
        read = [node for node in walk(tree) if isinstance(node, Cell | Area | Stored | Outside)]
        cells = [node for node in read if isinstance(node, Cell) and node.row == RowOffset(0)]
        return (
            len(cells) == len(read)
            and len({each.column for each in cells}) == 1
            and all(each.column in self._state.shown and not self._types.is_mixed(each.column) for each in cells)
        )

    def _by_distinct(self, tree: Tree) -> Mask:
        """Evaluate a condition once for each distinct value, and each distinct error, of the one column it reads."""
        column = next(node.column for node in walk(tree) if isinstance(node, Cell))
        distinct, codes = _distinct(self._columns.of(column))
        run = compiled(tree, _Single(distinct))
        verdicts = np.array([is_true(run(number)) is True for number in range(len(distinct))], dtype=bool)
        holds: Mask = verdicts[codes]
        return holds


def _distinct(whole: ColumnValues) -> tuple[list[object], Codes]:
    """Return the distinct values and errors of a column, and for each row the index of its own among them."""
    # Null is one of the distinct values: ISBLANK holds for it.
    encoded = pc.dictionary_encode(whole.values, null_encoding="encode")
    values = [plain(each) for each in encoded.dictionary.to_pylist()]
    # The values are null where a cell failed, but ISERROR and IFERROR need the error.
    failures = {each: len(values) + number for number, each in enumerate(dict.fromkeys(whole.errors.values()))}
    codes: Codes = encoded.indices.to_numpy().copy()
    codes[list(whole.errors)] = [failures[each] for each in whole.errors.values()]
    return [*values, *failures], codes


class _Single:
    """A sheet of one column that holds each distinct value and error once; formulas see only their own row."""

    def __init__(self, values: list[object]) -> None:
        self._values = values

    def cell(self, column: str, row: Row, position: int) -> object:
        """Return the value at the position."""
        return self._values[position]

    def stored(self, column: str, position: int) -> object:
        """Never called: `_reads_one` rejects formulas that read the data below a cell."""
        raise NotVector

    def aggregate(self, name: str, areas: Sequence[Area], loose: Sequence[object], position: int) -> object:
        """Return an aggregate of single values: there are no areas."""
        failed = next((value for value in loose if isinstance(value, FormulaError)), None)
        return failed or AGGREGATES[name][0](loose)

    def conditional(self, name: str, tested: Area, wanted: object, values: Area, position: int) -> object:
        """Never called: `_reads_one` rejects formulas that read areas."""
        raise NotVector

    def over_areas(self, name: str, args: Sequence[Area | object], position: int) -> object:
        """Return a function of single values, each of which stands for an area of one cell: there are no areas."""
        known = AREA_FUNCTIONS[name]
        given = [[each] if known.is_area(place) else each for place, each in enumerate(args)]
        for place, prepare in known.prepares.items():
            given[place] = prepare(given[place])  # type: ignore[arg-type]
        return known.run(*given)

    def outside_value(self, keys: Outside, values: Outside, wanted: object) -> object:
        """Never called: `_reads_one` rejects formulas that read other datasets."""
        raise NotVector
