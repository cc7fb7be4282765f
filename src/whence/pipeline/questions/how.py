"""How-provenance: the steps that made a cell of the result, from the input on, each with its inputs and values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from whence.lineage.block import Ids
from whence.model.cellref import CellRef
from whence.pipeline.operation import Operation
from whence.pipeline.sources import SourceCells, find_source_cells, templates_of
from whence.pipeline.step import PipelineStep
from whence.pipeline.table_states import NO_ID
from whence.pipeline.trail import Trail
from whence.store.store import Store
from whence.transformations.template import Reading, Statistic


@dataclass(frozen=True)
class HowStep:
    """One step on the way to a cell.

    `inputs` are cells of the table before the step: their rows are record ids, that is rids of the input or, for rows
    made on the way, numbers after them. `before` is the cell's own value before the step, `after` its value after it,
    None where several cells are meant. A statistic stands for all the cells it was learned from.
    """

    operation: Operation
    column: str
    inputs: list[CellRef]
    before: object
    after: object
    statistics: tuple[Statistic, ...] = ()


def how(trail: Trail, store: Store, row: int, column: str, reading: Reading = "changed") -> list[HowStep]:
    """Return the steps, oldest first; the reading `touched` also lists steps that left the value as it was."""
    cells = {column: trail.result_rows[[row]]}
    found: list[HowStep] = []
    for step in reversed(trail.steps):
        before: dict[str, Ids] = {}
        for name, rows in cells.items():
            sources = list(find_source_cells(trail, step, name, rows))
            if _is_on_the_way(trail, step, name, rows, reading):
                found.append(_describe_step(trail, store, step, name=name, rows=rows, sources=sources))
            for each in sources:
                if each.source == 0 and each.statistic is None:
                    known = before.get(each.column)
                    before[each.column] = each.rows if known is None else np.union1d(known, each.rows)
        cells = before
    return found[::-1]


def _is_on_the_way(trail: Trail, step: PipelineStep, name: str, rows: Ids, reading: Reading) -> bool:
    is_new = step.makes_new_rows and bool(trail.crossing(trail.home(step.index)).is_new[rows].any())
    if is_new:
        return True
    new_rows = step.plan.new_rows
    if not templates_of(step, name) or (new_rows is not None and new_rows.adds):
        return False
    return reading == "touched" or bool(trail.changed(step, name)[rows].any())


def _describe_step(
    trail: Trail, store: Store, step: PipelineStep, name: str, rows: Ids, sources: list[SourceCells]
) -> HowStep:
    records = trail.records[trail.home(step.index)]
    inputs: list[CellRef] = []
    statistics: dict[str, Statistic] = {}
    for each in sources:
        if each.statistic is not None:
            statistics[each.statistic.name] = each.statistic
            continue
        if each.source:
            other = trail.other(step, each.source)
            values = store.take(other, each.rows, [each.column]).column(0).to_pylist()
            ids, label, version = each.rows, other.name, other.version
        else:
            values = trail.values(step.index, each.column, each.rows)
            ids, label, version = records[each.rows], trail.input.name, trail.input.version
        inputs += [
            CellRef(dataset=label, version=version, row=int(rid), column=each.column, role=each.role, value=value)
            for rid, value in zip(ids, values, strict=True)
        ]
    after = trail.values(step.index + 1, name, rows)[0] if len(rows) == 1 else None
    return HowStep(
        operation=step.operation,
        column=name,
        inputs=inputs,
        before=_before(trail, step, name, rows),
        after=after,
        statistics=tuple(statistics.values()),
    )


def _before(trail: Trail, step: PipelineStep, name: str, rows: Ids) -> object:
    if len(rows) != 1 or name in step.created:
        return None
    row = rows
    if step.makes_new_rows:
        row = trail.crossing(trail.home(step.index)).parent[rows]
        if row[0] == NO_ID:
            return None
    return trail.values(step.index, step.old_name(name), row)[0]
