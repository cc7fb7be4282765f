"""Finds which rows of other datasets the lookups of a sheet return, for lineage and doubt."""

from __future__ import annotations

import numpy as np

from whence.notebook.sheet.evaluation.single_cells import SingleCells
from whence.notebook.sheet.formula.area_functions import NO_MATCH
from whence.notebook.sheet.formula.errors import FormulaError
from whence.notebook.sheet.formula.tree import Outside, Tree, outside_lookup
from whence.notebook.sheet.rowset import Rows
from whence.notebook.sheet.state import SheetState

NOT_FOUND, NOT_SEARCHED = -1, -2
"""No row matches; or there was nothing to look for, or nowhere to look."""


class OutsideLookups:
    """Runs lookups again to learn the row they find, which the value alone does not tell."""

    def __init__(self, state: SheetState, singles: SingleCells) -> None:
        self._state = state
        self._singles = singles

    def matched_rows(self, lookup: Tree, positions: Rows) -> Rows:
        """Return which row of another dataset a lookup finds at each position, or NOT_FOUND, or NOT_SEARCHED."""
        parts = outside_lookup(lookup)
        assert parts is not None
        wanted, keys, _ = parts
        # Formula cells that the lookup reads are computed first: running it looks them up.
        self._singles.compute({each for at in positions.tolist() for each in self._singles.needed(wanted, at)})
        run = self._singles.run(wanted)
        return np.array([self._row(keys, run(at)) for at in positions.tolist()], dtype=np.int64)

    def _row(self, keys: Outside, wanted: object) -> int:
        if wanted is None or isinstance(wanted, FormulaError):
            return NOT_SEARCHED
        found = self._state.outside.find(keys, wanted)
        if isinstance(found, FormulaError):
            return NOT_FOUND if found is NO_MATCH else NOT_SEARCHED
        return found
