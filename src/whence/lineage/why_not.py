"""Where a source row went: into which rows, or at which step of which query it was left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from whence.engine.engine import Engine
from whence.engine.query import Query
from whence.lineage.edges import Edges
from whence.lineage.rerun import Rerun
from whence.lineage.selection import Selection
from whence.lineage.trace import Hop, Trace
from whence.model.dataset import DatasetRecord
from whence.model.errors import NotSupported
from whence.plan.expr import Expr
from whence.plan.rewrite import column_map
from whence.plan.step import Step
from whence.store.store import Store

_MOST_ROWS = 3
"""If a row became many on the way, this many of them are followed to where they were left out."""


@dataclass(frozen=True)
class Loss:
    """A row of one dataset that did not get into the next, and why: the step that left it out and its condition."""

    dataset: str
    row: int
    into: str
    step: str
    condition: str
    values: dict[str, object]
    """What the row holds in the columns the condition reads."""

    def __str__(self) -> str:
        read = ", ".join(f"{name} = {value!r}" for name, value in self.values.items())
        where = f" [{self.condition}]" if self.condition else ""
        return f"Row {self.row} of {self.dataset} did not get into {self.into}: {self.step}{where}" + (
            f" ({read})." if read else "."
        )


@dataclass(frozen=True)
class Fate:
    """What became of a source row: the rows it is in, or else where it was lost."""

    rows: Selection
    groups: dict[int, int]
    """For each row it is in that was made from several rows of the same dataset, how many."""
    losses: tuple[Loss, ...]


class WhyNot:
    """Follows one source row forward; where it ends, the query is run again step by step to see which step ended it."""

    def __init__(self, store: Store, engine: Engine, edges: Edges, trace: Trace, rerun: Rerun) -> None:
        self._store = store
        self._engine = engine
        self._edges = edges
        self._trace = trace
        self._rerun = rerun

    def fate(self, record: DatasetRecord, source: DatasetRecord, row: int) -> Fate:
        """What became of a row of `source` on its way to `record`."""
        start = Selection.of_sorted(np.array([row], dtype=np.int64), source.rows)
        reached = self._trace.reached(source, start, record)
        found = reached[record.id]
        if found.count:
            return Fate(found, self._groups(record, source, found), ())
        losses = [
            self._loss(hop, rid)
            for hop in reversed(self._trace.hops(record, source))
            if not reached[hop.record.id].count
            for rid in reached[hop.source.id].page(0, _MOST_ROWS).tolist()
        ]
        return Fate(found, {}, tuple(losses))

    def _groups(self, record: DatasetRecord, source: DatasetRecord, found: Selection) -> dict[int, int]:
        rows = found.page(0, 100)
        places, _ = self._trace.backward_each(record, rows, rows, source)
        counts = np.unique(places, return_counts=True)
        return {int(row): int(count) for row, count in zip(*counts, strict=True) if count > 1}

    def _loss(self, hop: Hop, row: int) -> Loss:
        try:
            query, plan = self._rerun.query(hop.record)
        except NotSupported:
            text = f"the query left it out: {hop.record.text}" if hop.record.text else "its query left it out"
            return Loss(dataset=hop.source.label, row=row, into=hop.record.label, step=text, condition="", values={})
        way = list(_way_up(plan, hop.number))
        lowest, highest = 0, len(way) - 1  # it is there at the lowest, its own scan, and not at the highest, the top
        while highest - lowest > 1:
            middle = (lowest + highest) // 2
            if self._rerun.contains(query, way[middle], hop.number, row):
                lowest = middle
            else:
                highest = middle
        return self._describe_loss(query, way[highest], way[lowest], hop, row)

    def _describe_loss(self, query: Query, step: Step, below: Step, hop: Hop, row: int) -> Loss:
        if hop.number not in self._rerun.contributing_sources(query, step):
            reason = "its rows only decide there which rows of the other side stay"
            return Loss(dataset=hop.source.label, row=row, into=hop.record.label, step=reason, condition="", values={})
        condition: Expr | None = getattr(step, "condition", None)
        text = "" if condition is None else self._engine.text_of(query, condition)
        names = [] if condition is None else _names(below, condition, hop.number)
        values = self._store.take(hop.source, np.array([row]), names).to_pylist()[0] if names else {}
        reason = step.drops or f"{type(step).__name__} left it out"
        return Loss(
            dataset=hop.source.label, row=row, into=hop.record.label, step=reason, condition=text, values=values
        )


def _way_up(step: Step, source: int) -> Iterator[Step]:
    """The steps from the scan of a source up to this one."""
    if source in step.sources:
        for each in step.inputs:
            yield from _way_up(each, source)
        yield step


def _names(step: Step, condition: Expr, source: int) -> list[str]:
    uses = column_map(step).of(condition.columns, "filtered")
    return sorted({use.column for use in uses if use.source == source})
