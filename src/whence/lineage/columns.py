"""Column lineage: which columns of other datasets a column was made of, whatever the rows; read off the column map."""

from __future__ import annotations

from whence.lineage.cells import ColumnUse, strongest
from whence.lineage.edges import Edges
from whence.model.cellref import ROLES, ColumnRef
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId


class Columns:
    """Which input columns an output column was made of; no row is looked at."""

    def __init__(self, edges: Edges) -> None:
        self._edges = edges

    def inputs(self, record: DatasetRecord, column: str) -> set[ColumnUse]:
        """The columns of the direct inputs."""
        document = self._edges.document(record)
        if document is None:
            return set()
        uses = strongest(document.values.get(column, frozenset()) | document.row)
        return {ColumnUse(ROLES.index(use.role), document.sources[use.source], use.column) for use in uses}

    def at(self, record: DatasetRecord, column: str, targets: set[DatasetId]) -> set[ColumnUse]:
        """The columns of these datasets, however far back."""
        seen: set[ColumnUse] = set()
        waiting = self.inputs(record, column)
        while waiting:
            use = waiting.pop()
            seen.add(use)
            deeper = self.inputs(self._edges.record(use.dataset), use.column)
            # As with cells, what was copied from something aggregated was aggregated.
            waiting |= {ColumnUse(max(use.rank, far.rank), far.dataset, far.column) for far in deeper} - seen
        return {use for use in seen if use.dataset in targets}

    def to_refs(self, uses: set[ColumnUse]) -> list[ColumnRef]:
        """The columns as users know them, those that gave the value first."""
        records = {use.dataset: self._edges.record(use.dataset) for use in uses}
        return [
            ColumnRef(records[use.dataset].name, records[use.dataset].version, use.column, ROLES[use.rank])
            for use in sorted(uses)
        ]
