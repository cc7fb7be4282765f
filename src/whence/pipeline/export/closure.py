"""Finds the cells that a document about one row, column or cell must list: these and all they were made from."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from whence.lineage.block import Ids
from whence.pipeline.features import Features
from whence.pipeline.sources import find_source_cells
from whence.pipeline.table_states import NO_ID
from whence.pipeline.trail import Trail

Wanted = dict[int, npt.NDArray[np.bool_]]


def closure(trail: Trail, features: Features, row: int | None, column: str | None) -> Wanted:
    """Return, for each feature, a mask of the records to list: the asked cells and all cells behind them.

    `row` is a row of the result, `column` any name a column ever had; both together name one cell.
    """
    wanted = {number: np.zeros(trail.record_count, dtype=bool) for number in range(len(features.all))}
    chosen = set(range(len(features.all)))
    if column is not None:
        names = features.find(column)
        chosen = {number for number, each in enumerate(features.all) if any(each is one for one in names)}
    record = None if row is None else int(trail.result_records[row])
    cells: dict[str, Ids] = {}
    for state in range(len(trail.steps), -1, -1):
        by_name = {each.names[state]: n for n, each in enumerate(features.all) if state in each.names}
        known = trail.records[trail.home(state)]
        for name, number in by_name.items():
            if number in chosen:
                asked = trail.rows(state)
                if record is not None:
                    place = trail.row_of(record, state)
                    is_there = place != NO_ID and bool(trail.alive(state)[place])
                    asked = np.array([place] if is_there else [], dtype=np.int64)
                cells[name] = np.union1d(cells.get(name, asked), asked)
        for name, rows in cells.items():
            wanted[by_name[name]][known[rows]] = True
        if state:
            cells = _before(trail, state - 1, cells)
    return wanted


def _before(trail: Trail, index: int, cells: dict[str, Ids]) -> dict[str, Ids]:
    found: dict[str, Ids] = {}
    for name, rows in cells.items():
        for each in find_source_cells(trail, trail.steps[index], name, rows):
            # Cells of other datasets are no features: `Graph` lists them with the step that reads them.
            if each.source == 0:
                known = found.get(each.column)
                found[each.column] = each.rows if known is None else np.union1d(known, each.rows)
    return found
