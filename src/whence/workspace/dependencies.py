"""What a functional dependency is to a user: whether it holds, and which rows break it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from whence.lineage.dependencies import Dependency, Violation
from whence.model.dataset import DatasetRecord
from whence.workspace.context import Context
from whence.workspace.rows import Rows


class FunctionalDependency:
    """Whether rows that agree on some columns agree on others; where not, a graph of violations and rows."""

    def __init__(self, context: Context, record: DatasetRecord, found: Dependency) -> None:
        self._context = context
        self._record = record
        self._found = found

    @property
    def holds(self) -> bool:
        """No two rows contradict it."""
        return self._found.holds

    @property
    def count(self) -> int:
        """How many values of the left side break it."""
        return self._found.count

    @property
    def violations(self) -> list[Violation]:
        """The values that break it, with what stands beside them and in how many rows."""
        return [self._found.broken(number) for number in range(self.count)]

    @property
    def graph(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The bipartite graph as (violation, row) pairs, sorted."""
        return self._found.graph

    def rows(self, violation: int) -> Rows:
        """The rows of one violation."""
        return Rows(self._context, self._record, self._found.rows(violation))

    def violation_of(self, row: int) -> int | None:
        """The violation a row takes part in, if any."""
        return self._found.violation_of(row)

    def __repr__(self) -> str:
        return repr(self._found)
