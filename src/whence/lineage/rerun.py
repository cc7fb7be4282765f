"""Runs the query that made a dataset again on some rows of its sources, and says which old row each new row is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from whence.engine.engine import Engine
from whence.engine.query import Query
from whence.lineage.block import NO_ROW, Block, Ids
from whence.lineage.decode import decode
from whence.lineage.edges import Edges
from whence.lineage.strategy import FAILED, FAILURE
from whence.model.dataset import DatasetRecord
from whence.model.errors import NotSupported
from whence.plan.context import RewriteContext, all_but
from whence.plan.expr import TRUE, Expr, alias, any_of, call, literal, ref
from whence.plan.limits import Limits
from whence.plan.readings import shown_readings
from whence.plan.rebuild import rebuild
from whence.plan.rewrite import column_map, with_lineage
from whence.plan.step import CarriedIds, Group, Rid, Step
from whence.plan.steps.filter import Filter
from whence.plan.steps.project import Project
from whence.plan.steps.scalar_subquery import SUBQUERY

RowsBySource = Mapping[int, Ids]
"""By source number, the only rows to read; a source that is not named is read whole."""


@dataclass(frozen=True)
class RerunResult:
    """What a query gave: its rows, and from which source rows each was made."""

    table: pa.Table
    block: Block


class Rerun:
    """Runs the stored query of a dataset on some rows of its sources."""

    def __init__(self, engine: Engine, edges: Edges) -> None:
        self._engine = engine
        self._edges = edges

    def query(self, record: DatasetRecord) -> tuple[Query, Step]:
        """The query that made a dataset, and its plan."""
        query = self._engine.recall(record)
        if query is None or query.sources != self._edges.sources(record):
            why = "it was a DataFrame of an earlier session, or what it read is not there any more"
            raise NotSupported(f"The query of {record.label} cannot be worked out again: {why}.", "Make it again.")
        document = self._edges.document(record)
        if document is not None and document.strategy == FAILED:
            raise NotSupported(f"{record.label} cannot be worked out again: {FAILURE}.")
        plan = query.read.plan
        if plan is None:
            raise NotSupported(
                f"{record.label} cannot be worked out on some rows only: {query.read.reason} has no rule."
            )
        if any(step.traits.gathers_in_python for step in plan.walk()):
            raise NotSupported(f"{record.label} cannot be worked out again: a Python function gathered its rows.")
        return query, plan

    def on(self, record: DatasetRecord, chosen: RowsBySource) -> RerunResult:
        """Run the query on these rows; OFFSET and samples leave none of them out again."""
        query, plan = self.query(record)
        _refuse_chance(record, plan)
        rows = {source: ids[ids != NO_ROW] for source, ids in chosen.items()}
        limited = rebuild(plan, lambda step: step.on_chosen_rows(rows))
        return self._run(query, limited, record.schema.names, self.traced_sources(record, query))

    def traced_sources(self, record: DatasetRecord, query: Query) -> frozenset[int] | None:
        """The sources whose rows were traced when a dataset was made; None for all."""
        document = self._edges.document(record)
        return all_but(len(query.sources), () if document is None else document.pruned_sources)

    def _run(self, query: Query, plan: Step, names: tuple[str, ...], sources: frozenset[int] | None) -> RerunResult:
        """The rows of a plan with their lineage."""
        context = _context(query, plan, sources)
        traced = with_lineage(plan, context)
        shown = [ref(column) for column in query.columns]
        values = [alias(each, context.ids.column("value", each.type, nullable=True)) for each in shown]
        ids = [alias(each, context.ids.column("out", each.type, nullable=True)) for each in traced.id_columns]
        # A query may repeat a name or a column, so every column gets a name of its own.
        frame = self._engine.write(query, Project(traced.step, (*values, *ids)))
        table = self._engine.to_arrow(frame)
        block = decode(traced.carried_ids, table.select(range(len(shown), table.num_columns)))
        return RerunResult(
            table.select(range(len(shown))).rename_columns(list(names)), replace(block, rows=table.num_rows)
        )

    def contains(self, query: Query, plan: Step, source: int, row: int) -> bool:
        """Whether a row of one source is behind some row of a plan."""
        traced = with_lineage(plan, _context(query, plan))
        mine = [each for each in traced.carried_ids if source in _numbers((each,))]
        if not mine:
            return False
        kept = Filter(traced.step, any_of(*(_has(each, row) for each in mine)))
        ids = [alias(ref(each.column), query.read.ids.column("out", each.column.type)) for each in mine]
        found = self._engine.to_arrow(self._engine.write(query, Project(kept, tuple(ids))))
        return bool(np.any(decode(tuple(mine), found).pairs(source)[1] == row))

    def contributing_sources(self, query: Query, plan: Step, traced: frozenset[int] | None = None) -> frozenset[int]:
        """Of the traced sources (None: all) those whose rows contribute; others only influence, and are read whole."""
        return frozenset(_numbers(with_lineage(plan, _context(query, plan, traced)).carried_ids))


def _refuse_chance(record: DatasetRecord, plan: Step) -> None:
    for step in plan.walk():
        exprs = (*getattr(step, "exprs", ()), *getattr(step, "outputs", ()), getattr(step, "condition", None))
        if not all(expr.repeats for expr in exprs if expr is not None):
            raise NotSupported(f"{record.label} cannot be worked out again: its query gives other values each time.")


def _context(query: Query, plan: Step, traced: frozenset[int] | None = None) -> RewriteContext:
    # On the way to an answer rows are followed one by one; what windows read around them is not.
    shown = shown_readings(column_map(plan), plan.columns)
    return RewriteContext(
        ids=query.read.ids,
        limits=Limits(len(query.sources)),
        traced_sources=traced,
        shown_readings=frozenset(each for each in shown if each.name == SUBQUERY),
        puts_groups_aside=False,
    )


def _has(carried: CarriedIds, row: int) -> Expr:
    """Return the condition that the ids contain the row; TRUE for ids in forms that no simple condition can test."""
    if isinstance(carried, Rid):
        return call("=", ref(carried.column), literal(row, carried.column.type))
    if isinstance(carried, Group) and carried.is_bare:
        return call("array_contains", ref(carried.column), literal(row, carried.members[0].column.type))
    return TRUE


def _numbers(carried: tuple[CarriedIds, ...]) -> Iterator[int]:
    for each in carried:
        if isinstance(each, Rid):
            yield each.source
        elif isinstance(each, Group):
            yield from _numbers(each.members)
