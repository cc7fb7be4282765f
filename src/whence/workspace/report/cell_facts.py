"""What a report tells about one number: its caveats, the way back, and the rows of files behind it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from whence.lineage.block import Ids
from whence.lineage.way import WayCell, WayStep
from whence.model.caveat import CaveatGroup
from whence.model.ids import DatasetId
from whence.store.forgotten import ForgottenRecord
from whence.workspace.cell_bounds import cell_bounds
from whence.workspace.context import Context
from whence.workspace.dataset import Dataset
from whence.workspace.report.redaction import Redaction
from whence.workspace.report.shown_value import HIDDEN, value_text
from whence.workspace.report.source_rows import SourceRows

Json = dict[str, object]

_MOST_ON_THE_WAY = 3
"""Cells of each column that each step of the way shows."""


class CellFacts:
    """Finds what stands behind the cells of a report. At most `most_rows` rows of each source are shown for one."""

    def __init__(self, context: Context, redaction: Redaction, sources: SourceRows, most_rows: int) -> None:
        self._context = context
        self._redaction = redaction
        self._sources = sources
        self._most_rows = most_rows
        self._telling: dict[DatasetId | None, bool] = {}

    def of(self, dataset: Dataset, row: int, column: str, *, is_doubtful: bool) -> Json:
        """Return the facts of one cell, without its value."""
        way = dataset.lineage.way(row, column, _MOST_ON_THE_WAY)
        caveats = dataset.caveats.list(row, column) if is_doubtful else []
        facts: Json = {
            "caveats": [self._caveat(each) for each in caveats],
            "way": [self._step(each) for each in way.inputs],
            "rows": list(self._rows_behind(dataset, row, column)),
        }
        if way.origin:
            facts["written"] = way.origin
        if is_doubtful and not self._redaction:  # ends of ranges may tell of hidden values
            facts["bounds"] = cell_bounds(self._context, dataset.record, row, column).ends
        return {name: each for name, each in facts.items() if each}

    def _caveat(self, group: CaveatGroup) -> str:
        if self._may_tell(group.dataset):
            return f"{group.count:,} of {group.family}; what they say is hidden"
        said = "; ".join(group.messages) or group.message
        return said if group.count == 1 else f"{said} ({group.count:,} of this kind)"

    def _may_tell(self, dataset: DatasetId | None) -> bool:
        """Whether words of a dataset's caveats may hold hidden values: a caveat may quote any value of its row."""
        if not self._redaction:
            return False
        if dataset not in self._telling:
            self._telling[dataset] = dataset is None or self._may_hold_hidden(dataset)
        return self._telling[dataset]

    def _may_hold_hidden(self, dataset: DatasetId) -> bool:
        record = self._context.readers.edges.record(dataset)
        if isinstance(record, ForgottenRecord):
            return True
        chain = (record, *self._context.readers.trace.ancestors(record))
        return any(self._redaction.hides_any(each.name, each.schema.names) for each in chain)

    def _step(self, step: WayStep) -> Json:
        first = step.cells[0].cell
        return {
            "role": first.role,
            "of": f"{first.dataset}@{first.version}.{first.column}",
            "count": step.count,
            "cells": [self._way_cell(each) for each in step.cells],
        }

    def _way_cell(self, way: WayCell) -> Json:
        cell = way.cell
        is_hidden = self._redaction.hides(cell.dataset, cell.column)
        shown: Json = {"value": HIDDEN if is_hidden else value_text(cell.value)}
        if way.line is not None:
            shown["line"] = way.line
        if way.is_doubtful:
            shown["doubt"] = True
        if way.inputs:
            shown["from"] = [self._step(each) for each in way.inputs]
        return shown

    def _rows_behind(self, dataset: Dataset, row: int, column: str) -> Iterator[Json]:
        """Yield each loaded dataset behind the cell: how many of its rows, and the first of them."""
        readers = self._context.readers
        ancestors = readers.trace.ancestors(dataset.record)
        targets = {each.id for each in ancestors if readers.edges.document(each) is None}
        found: dict[DatasetId, Ids] = {}
        for use, rows in readers.cells.at(dataset.record, row, column, targets).items():
            found[use.dataset] = np.union1d(found.get(use.dataset, rows[:0]), rows)
        for id, rows in found.items():
            record = readers.edges.record(id)
            if not isinstance(record, ForgottenRecord):
                first = rows[: self._most_rows].tolist()
                self._sources.add(record, first)
                yield {"of": record.label, "count": len(rows), "first": first}
