"""Why-provenance: the input cells that a cell of the result was made from, over all steps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from whence.lineage.block import Ids
from whence.model.cellref import ROLES, CellRef
from whence.model.dataset import DatasetRecord
from whence.pipeline.sources import find_source_cells
from whence.pipeline.trail import Trail
from whence.store.store import Store

_Cells = dict[tuple[str, int], Ids]
"""Rows by column and rank of the role. Rows are arrays, as a statistic may come from a million of them."""


def why(trail: Trail, store: Store, row: int, column: str, *, statistics: bool = True) -> list[CellRef]:
    """Return the input cells behind a cell, and those of other datasets the pipeline read, strongest role first."""
    cells: _Cells = {(column, 0): trail.result_rows[[row]]}
    others: dict[tuple[str, int, DatasetRecord], Ids] = {}
    for step in reversed(trail.steps):
        before: _Cells = {}
        for (name, rank), rows in cells.items():
            for found in find_source_cells(trail, step, name, rows):
                if found.statistic is not None and not statistics:
                    continue
                # A path is as strong as its weakest role.
                weaker = max(rank, ROLES.index(found.role))
                if found.source:
                    key = (found.column, weaker, trail.other(step, found.source))
                    others[key] = np.union1d(others[key], found.rows) if key in others else found.rows
                else:
                    _add(before, (found.column, weaker), found.rows)
        cells = before
    answer = list(_refs(store, trail.input, cells))
    for other in dict.fromkeys(record for _, _, record in others):
        theirs = {(name, rank): rows for (name, rank, record), rows in others.items() if record == other}
        answer += _refs(store, other, theirs)
    return answer


def _add(cells: _Cells, key: tuple[str, int], rows: Ids) -> None:
    cells[key] = np.union1d(cells[key], rows) if key in cells else np.unique(rows)


def _refs(store: Store, record: DatasetRecord, cells: _Cells) -> Iterator[CellRef]:
    """Yield each cell once, in its strongest role."""
    seen: dict[str, Ids] = {}
    for (name, rank), rows in sorted(cells.items(), key=lambda each: each[0][1]):
        new = np.setdiff1d(rows, seen[name]) if name in seen else rows
        seen[name] = np.union1d(seen[name], new) if name in seen else new
        values = store.take(record, new, [name]).column(0).to_pylist()
        for row, value in zip(new.tolist(), values, strict=True):
            yield CellRef(
                dataset=record.name, version=record.version, row=row, column=name, role=ROLES[rank], value=value
            )
