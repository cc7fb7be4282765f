"""Evaluates whole columns: a formula that stands in many rows is computed in bulk for all of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.notebook.sheet.convert import converted
from whence.notebook.sheet.evaluation.column_types import ColumnTypes
from whence.notebook.sheet.evaluation.column_values import ColumnValues, cast
from whence.notebook.sheet.evaluation.formula_cells import FormulaCells
from whence.notebook.sheet.evaluation.single_cells import LARGE, SingleCells
from whence.notebook.sheet.evaluation.stored_columns import StoredColumns
from whence.notebook.sheet.evaluation.version_cache import VersionCache
from whence.notebook.sheet.formula.errors import FormulaError
from whence.notebook.sheet.formula.tree import Tree
from whence.notebook.sheet.formula.vector import NotVector, Vector
from whence.notebook.sheet.rowset import Rows
from whence.notebook.sheet.state import SheetColumn, SheetState


class ColumnEvaluator:
    """Computes whole columns and caches them until the sheet changes.

    `vector` computes a formula at many positions at once, or raises NotVector.
    """

    def __init__(
        self,
        state: SheetState,
        types: ColumnTypes,
        formulas: FormulaCells,
        leaves: StoredColumns,
        singles: SingleCells,
        vector: Callable[[Tree, Rows], Vector],
    ) -> None:
        self._state = state
        self._types = types
        self._formulas = formulas
        self._leaves = leaves
        self._singles = singles
        self._vector = vector
        self._found: VersionCache[dict[str, ColumnValues]] = VersionCache(state, dict)

    def of(self, column: str) -> ColumnValues:
        """Return all values of a column."""
        found = self._found.now
        if column not in found:
            known = self._state.columns[column]
            leaves = self._leaves.of(known)
            found[column] = self._with_formulas(known, leaves) if known.has_formulas else leaves
        return found[column]

    def _with_formulas(self, column: SheetColumn, leaves: ColumnValues) -> ColumnValues:
        positions, trees = self._formulas.of(column.id)
        errors = dict(leaves.errors)
        for place in positions.tolist():
            errors.pop(place, None)
        values, left = leaves.values, np.arange(len(positions))
        # The cells of a circular column need each other, so they are computed one by one, in the order of their needs.
        if not self._types.is_circular(column.id) and len(positions) >= LARGE:
            values, left = self._in_bulk(values, positions, trees, errors)
        found = self._one_by_one(column, positions[left].tolist(), errors)
        mask = np.zeros(len(values), dtype=bool)
        mask[positions[left]] = True
        return ColumnValues(pc.replace_with_mask(values, mask, pa.array(found, values.type)), errors)

    def _one_by_one(self, column: SheetColumn, positions: list[int], errors: dict[int, FormulaError]) -> list[object]:
        """Return the values of the formulas at these positions, and add the failures to `errors`."""
        self._singles.compute((column.id, position) for position in positions)
        found: list[object] = []
        for position in positions:
            value = self._singles.computed_value((column.id, position))
            if isinstance(value, FormulaError):
                errors[position] = value
            found.append(None if isinstance(value, FormulaError) else converted(value, self._types.all[column.id]))
        return found

    def _in_bulk(
        self, values: pa.Array, positions: Rows, trees: list[Tree], errors: dict[int, FormulaError]
    ) -> tuple[pa.Array, Rows]:
        """Compute each formula that stands in many rows at once.

        Return the values, and the indices of the formulas that are left to compute one by one.
        """
        left = np.ones(len(positions), dtype=bool)
        numbers: dict[int, int] = {}
        # By identity: cells that were filled together share one tree, and trees need not be compared.
        codes = np.array([numbers.setdefault(id(tree), len(numbers)) for tree in trees], dtype=np.int64)
        by_code = {numbers[id(tree)]: tree for tree in trees}
        for code, count in enumerate(np.bincount(codes)):
            if count < LARGE:
                continue
            chosen = codes == code
            at = positions[chosen]
            try:
                result = self._vector(by_code[code], at)
            except NotVector:
                continue  # these cells stay in `left`, and are computed one by one
            left &= ~chosen
            for place in [] if result.codes is None else np.flatnonzero(result.codes).tolist():
                errors[int(at[place])] = result.error(place)
            mask = np.zeros(len(values), dtype=bool)
            mask[at] = True
            values = pc.replace_with_mask(values, mask, cast(result.arrow(), values.type))
        return values, np.flatnonzero(left)
