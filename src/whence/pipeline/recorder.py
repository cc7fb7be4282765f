"""Runs the steps of one segment again for values that are not stored: those that a later step overwrote or dropped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from whence.engine.engine import Engine
from whence.engine.frames import Frame
from whence.lineage.block import Ids
from whence.pipeline.chain import apply_plan
from whence.pipeline.segment import Segment
from whence.pipeline.step import PipelineStep
from whence.plan.sql_text import quoted
from whence.transformations.input_table import RID

Version = tuple[int, str]
"""A column as one step wrote it: the step's index and the column's name after it."""


@dataclass
class Stage:
    """Steps with the same rows: up to the next filter. `table` holds RID and the recorded values, by `columns`."""

    steps: list[PipelineStep] = field(default_factory=list)
    wanted: list[Version] = field(default_factory=list)
    needs_rows: bool = False
    """Whether only a run can tell which rows the stage has: no stored version shows them."""
    rids: Ids | None = None
    table: pa.Table | None = None
    columns: dict[Version, str] = field(default_factory=dict)

    @property
    def needs_run(self) -> bool:
        """Whether a job must run, because something about the stage is stored nowhere."""
        return bool(self.wanted) or self.needs_rows


def stages(segment: Segment) -> list[Stage]:
    """Return the stages of a segment, and what must be recorded of each."""
    found = [Stage()]
    for step in segment.steps:
        if step.plan.row_filter is not None:
            found.append(Stage())
        found[-1].steps.append(step)
    stored = _stored(segment)
    for number, stage in enumerate(found):
        is_last = number == len(found) - 1
        # The first stage has all rows of the base, and the last one those of the stored result.
        stage.needs_rows = number > 0 and not (is_last and segment.closing is None)
        stage.wanted = [version for step in stage.steps for version in _written_columns(step) if version not in stored]
    return found


def record(engine: Engine, segment: Segment, every: list[Stage]) -> None:
    """Run one job for each stage of which something is stored nowhere, and fill in its table."""
    frame: Frame = engine.with_row_numbers(segment.base, RID)
    for stage in every:
        frame = _stage(engine, frame, stage)


def _stage(engine: Engine, frame: Frame, stage: Stage) -> Frame:
    """Return the frame after a stage; overwritten values travel along under temporary names until it ends."""
    beside: dict[str, Version] = {}
    current: dict[str, Version] = {}
    wanted = set(stage.wanted)
    for step in stage.steps:
        over = {name for name in current if name in _lost_columns(step)}
        kept = {f"__whence_v{len(beside) + n}": name for n, name in enumerate(sorted(over)) if current[name] in wanted}
        frame = apply_plan(
            engine,
            frame,
            step.plan,
            {each: each for each in beside} | {new: quoted(old) for new, old in kept.items()},
        )
        beside |= {new: current[old] for new, old in kept.items()}
        renamed = step.plan.renamed
        current = {renamed.get(name, name): version for name, version in current.items() if name not in over}
        current |= {name: (step.index, name) for name in step.plan.written}
    if stage.needs_run:
        last = {name: version for name, version in current.items() if version in wanted}
        table = engine.to_arrow(frame.select(RID, *beside, *(quoted(name) for name in last)))
        stage.rids = np.asarray(table.column(0), dtype=np.int64)
        stage.table = table.rename_columns([str(number) for number in range(table.num_columns)])
        every = [*beside.values(), *last.values()]
        stage.columns = {version: str(number) for number, version in enumerate(every, 1)}
    return frame.drop(*beside) if beside else frame


def _written_columns(step: PipelineStep) -> Iterator[Version]:
    for name in step.plan.written:
        yield step.index, name


def _lost_columns(step: PipelineStep) -> set[str]:
    """Return the columns, by their names before the step, whose values do not survive it."""
    return {step.old_name(name) for name in step.overwritten} | set(step.gone)


def _stored(segment: Segment) -> set[Version]:
    """Return the written columns that the stored result shows for all their rows: no later step dropped any."""
    if segment.closing is not None:
        return set()
    current: dict[str, Version] = {}
    for step in segment.steps:
        lost, renamed = _lost_columns(step), step.plan.renamed
        current = {renamed.get(name, name): version for name, version in current.items() if name not in lost}
        current |= {name: (step.index, name) for name in step.plan.written}
    last = max((step.index for step in segment.steps if step.plan.row_filter is not None), default=-1)
    return {version for version in current.values() if version[0] > last}
