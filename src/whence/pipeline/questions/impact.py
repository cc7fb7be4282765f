"""Follows an input cell forward: which cells of the result were made from it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from whence.lineage.block import Ids
from whence.pipeline.features import Features
from whence.pipeline.sources import find_source_cells, reached_through, templates_of
from whence.pipeline.step import PipelineStep
from whence.pipeline.trail import Trail


@dataclass(frozen=True)
class Reached:
    """The cells of one column of the result that an input cell went into; `rows` are row ids of the result."""

    column: str
    rows: Ids


def impact(trail: Trail, features: Features, record: int, name: str, *, statistics: bool = False) -> list[Reached]:
    """Return the cells of the result made from the cell that this record had in a column of the input.

    With `statistics`, also those that it reached only through a statistic, such as a mean.
    """
    known = {each.names[0] for each in features.find(name) if 0 in each.names}
    cells: dict[str, Ids] = {}
    start = np.array([record], dtype=np.int64)
    cells = {each: start for each in known if record < trail.input.rows}
    for step in trail.steps:
        cells = _after(trail, step.index, cells, statistics=statistics)
    places = {int(row): rid for rid, row in enumerate(trail.result_rows.tolist())} if cells else {}
    order = list(trail.schema(len(trail.steps)).names)
    found = [
        Reached(column, np.array(sorted(places[row] for row in rows.tolist() if row in places), dtype=np.int64))
        for column, rows in sorted(cells.items(), key=lambda each: order.index(each[0]))
    ]
    return [each for each in found if len(each.rows)]


def _after(trail: Trail, index: int, cells: dict[str, Ids], *, statistics: bool) -> dict[str, Ids]:
    """Return the cells after a step that have one of these cells as a source."""
    step = trail.steps[index]
    found: dict[str, Ids] = {}
    if not cells:
        return found
    rows = np.unique(np.concatenate(list(cells.values())))
    for name in step.after.names:
        hits = (
            _whole_hits(trail, step, name, rows, cells)
            if step.makes_new_rows
            else _hits(trail, step, name, rows, cells)
        )
        if statistics and not step.makes_new_rows:
            hits = np.union1d(hits, _statistic_hits(trail, step, name, cells))
        if len(hits):
            found[name] = hits
    return found


def _hits(trail: Trail, step: PipelineStep, name: str, rows: Ids, cells: dict[str, Ids]) -> Ids:
    alive = trail.alive(step.index + 1)
    hits = [
        np.intersect1d(each.rows, cells[each.column])
        for each in find_source_cells(trail, step, name, rows[alive[rows]])
        if each.statistic is None and each.column in cells
    ]
    return np.unique(np.concatenate(hits)) if hits else rows[:0]


def _whole_hits(trail: Trail, step: PipelineStep, name: str, rows: Ids, cells: dict[str, Ids]) -> Ids:
    hits = []
    # One row at a time: for several rows at once it is not known which source belongs to which row.
    for row in trail.offspring(step, rows).tolist():
        sources = find_source_cells(trail, step, name, np.array([row], dtype=np.int64))
        if any(
            not each.source and len(np.intersect1d(each.rows, cells.get(each.column, rows[:0]))) for each in sources
        ):
            hits.append(row)
    return np.array(hits, dtype=np.int64)


def _statistic_hits(trail: Trail, step: PipelineStep, name: str, cells: dict[str, Ids]) -> Ids:
    found = [
        reached_through(trail, step, name, statistic, cells[column])
        for template in templates_of(step, name)
        for statistic in template.statistics
        for column in statistic.columns
        if column in cells
    ]
    return np.unique(np.concatenate([np.empty(0, dtype=np.int64), *found]))
