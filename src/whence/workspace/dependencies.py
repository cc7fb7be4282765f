"""`FunctionalDependency`: whether a functional dependency holds, and which rows break it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from whence.lineage.dependencies import Dependency, Violation
from whence.model.dataset import DatasetRecord
from whence.workspace.context import Context
from whence.workspace.rows import Rows


class FunctionalDependency:
    """The check whether rows that agree on some columns agree on others, with the violations and their rows."""

    def __init__(self, context: Context, record: DatasetRecord, found: Dependency) -> None:
        self._context = context
        self._record = record
        self._found = found

    @property
    def holds(self) -> bool:
        """Whether no two rows contradict it."""
        return self._found.holds

    @property
    def count(self) -> int:
        """The number of values of the left side that break it."""
        return self._found.count

    @property
    def violations(self) -> list[Violation]:
        """The values of the left side that break it, each with its values of the right side and its number of rows."""
        return [self._found.broken(number) for number in range(self.count)]

    @property
    def graph(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The bipartite graph as (violation, row) pairs, sorted."""
        return self._found.graph

    def rows(self, violation: int) -> Rows:
        """Return the rows of one violation."""
        return Rows(self._context, self._record, self._found.rows(violation))

    def violation_of(self, row: int) -> int | None:
        """Return the violation that a row belongs to, if any."""
        return self._found.violation_of(row)

    def __repr__(self) -> str:
        return repr(self._found)
