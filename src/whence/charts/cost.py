"""Estimate what a chart reads and draws before it is computed."""

from __future__ import annotations

from dataclasses import dataclass

from whence.charts.spec import Spec
from whence.charts.stats.registry import find_stat
from whence.model.dataset import DatasetRecord
from whence.store.store import Store

LARGE = 100_000_000
"""Above this number of rows, a chart is not computed in passing while somebody edits it."""


@dataclass(frozen=True)
class Cost:
    """Upper bounds of the rows and columns that a chart reads, and of the marks it makes."""

    rows: int
    columns: int
    marks: int
    most: int
    """The number of marks that are drawn one by one."""

    @property
    def is_large(self) -> bool:
        """Whether the user should be asked first."""
        return self.rows > LARGE

    def __str__(self) -> str:
        text = f"Reads {self.columns} columns of {self.rows:,} rows; up to {self.marks:,} marks."
        if self.marks > self.most:
            text += f" More than {self.most:,} are not drawn one by one."
        return text


def cost_of(store: Store, record: DatasetRecord, spec: Spec) -> Cost:
    """Estimate the cost from the specification and the number of rows alone."""
    rows = columns = marks = 0
    for layer in spec.layers:
        read = store.current(layer.data.name) if layer.data.name else record
        rows += read.rows
        read_columns = {each.column or each.sql for each in layer.aes.values() if not each.is_constant}
        if layer.data.fold is not None:
            read_columns -= {layer.data.fold.name, layer.data.fold.value}
            read_columns |= set(layer.data.fold.columns)
        columns = max(columns, len(read_columns | {each.column for each in layer.data.where if each.column}))
        bounds = [find_stat(call).traits.most_marks for call in layer.stats or ()]
        # The last stat that bounds its marks decides, as later ones run over its result.
        marks += min([read.rows, *[each for each in bounds if each is not None][-1:]])
    return Cost(rows, columns, marks, spec.max_marks)
