"""Finds the cells, of the table before a step and of other datasets, that a step made a cell from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.lineage.block import Ids
from whence.model.cellref import Role
from whence.pipeline.row_crossings import reads_as
from whence.pipeline.step import PipelineStep
from whence.pipeline.trail import Trail
from whence.transformations.template import Read, Statistic, Template


@dataclass(frozen=True)
class SourceCells:
    """Source cells in one column. `source` 0 is the table before the step; `statistic` is what they came through."""

    source: int
    column: str
    role: Role
    rows: Ids
    statistic: Statistic | None = None


def find_source_cells(trail: Trail, step: PipelineStep, name: str, rows: Ids) -> Iterator[SourceCells]:
    """Yield the cells from which a step made these cells."""
    if len(rows) == 0:
        return
    if step.plan.new_rows is not None:
        yield from _through_new_rows(trail, step, name, rows)
        return
    templates = templates_of(step, name)
    if not templates:
        yield SourceCells(0, step.old_name(name), "copied", rows)
        return
    # A repair writes only the cells it changes; all others are copies of themselves.
    if step.plan.template_reading == "changed":
        mask = trail.changed(step, name)[rows]
        if not mask.all():
            yield SourceCells(0, step.old_name(name), "copied", rows[~mask])
        rows = rows[mask]
    for template in templates:
        yield from _through(trail, step, template, rows)


def templates_of(step: PipelineStep, name: str) -> list[Template]:
    """Return the templates that write a column."""
    return [template for template in step.plan.templates if name in template.writes]


def _through(trail: Trail, step: PipelineStep, template: Template, rows: Ids) -> Iterator[SourceCells]:
    if len(rows) == 0:
        return
    for read in template.reads:
        yield SourceCells(0, read.column, read.role, rows)
    for statistic in template.statistics:
        taught = statistic_rows(trail, step, statistic, rows)
        for column in statistic.columns:
            yield SourceCells(0, column, "aggregated", taught, statistic)


def statistic_rows(trail: Trail, step: PipelineStep, statistic: Statistic, rows: Ids) -> Ids:
    """Return the rows a statistic was learned from; with groups, only those that concern these rows."""
    taught = trail.alive(step.index).copy()
    for column in statistic.non_null:
        taught &= _has_value(trail, step, column)
    if statistic.by:
        codes = _codes(trail, step, statistic.by)
        own = taught & np.isin(codes, codes[rows])
        # A group that taught nothing is filled from all rows.
        if len(np.setdiff1d(codes[rows], codes[own])) == 0:
            return np.flatnonzero(own)
    return np.flatnonzero(taught)


def reached_through(trail: Trail, step: PipelineStep, name: str, statistic: Statistic, cells: Ids) -> Ids:
    """Return the rows after a step whose cell holds a statistic that one of these cells helped to learn."""
    # A statistic that fills gaps is only in the cells that the step changed.
    everyone = trail.changed(step, name) if statistic.fills else trail.alive(step.index + 1)
    taught = statistic_rows(trail, step, replace(statistic, by=()), cells)
    teachers = np.intersect1d(taught, cells)
    if len(teachers) == 0:
        return teachers
    if statistic.by:
        codes = _codes(trail, step, statistic.by)
        # Groups without a value of their own were filled from all rows.
        own, without = np.isin(codes, codes[teachers]), ~np.isin(codes, codes[taught])
        everyone = everyone & (own | without)
    return np.flatnonzero(everyone)


def _has_value(trail: Trail, step: PipelineStep, column: str) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.asarray(pc.is_valid(trail.column(step.index, column)), dtype=bool)


def _codes(trail: Trail, step: PipelineStep, columns: tuple[str, ...]) -> Ids:
    """Return a number for each row, equal where the columns are equal."""
    codes = np.zeros(len(trail.alive(step.index)), dtype=np.int64)
    for column in columns:
        values = trail.column(step.index, column)
        chunk = values.combine_chunks() if values.num_chunks != 1 else values.chunk(0)
        if isinstance(chunk, pa.ChunkedArray):
            chunk = chunk.chunk(0) if chunk.num_chunks else pa.array([], chunk.type)
        encoded = chunk.dictionary_encode(null_encoding="encode")
        numbers = np.asarray(encoded.indices, dtype=np.int64)
        codes = codes * (len(encoded.dictionary) + 1) + numbers
        # Numbered anew after each column, so that the product of many columns cannot overflow.
        _, codes = np.unique(codes, return_inverse=True)
    return codes


def _through_new_rows(trail: Trail, step: PipelineStep, name: str, rows: Ids) -> Iterator[SourceCells]:
    new_rows = step.plan.new_rows
    crossing = trail.crossing(trail.home(step.index))
    templates = templates_of(step, name)
    is_new = crossing.is_new[rows]
    old = rows[~is_new]
    if len(old) and (not templates or (new_rows is not None and new_rows.adds)):
        if name not in step.created:  # a column that a union adds is missing in the rows before it
            yield SourceCells(0, step.old_name(name), "copied", crossing.parent[old])
        old = old[:0]
    made = np.concatenate([old, rows[is_new]])
    if len(made) == 0:
        return
    reads = [read for template in templates for read in template.reads] if templates else [Read(name, "copied")]
    for read in reads:
        found = trail.contributors(step, read, made)
        if read.only is not None and read.source == 0:
            found = _holding(trail, step, found, read.only)
        if len(found):
            yield SourceCells(read.source, read.column, read.role, found)
    for statistic in (each for template in templates for each in template.statistics):
        for column in statistic.columns:
            yield SourceCells(0, column, "aggregated", trail.rows(step.index), statistic)


def _holding(trail: Trail, step: PipelineStep, rows: Ids, only: tuple[str, object]) -> Ids:
    column, value = only
    values = trail.column(step.index, column).take(pa.array(rows))
    chosen: Ids = rows[reads_as(values, str(value))]
    return chosen
