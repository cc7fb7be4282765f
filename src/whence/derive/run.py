"""Stage 6, run: Spark evaluates the rewritten plan once and writes rows, marks and ids."""

from __future__ import annotations

from dataclasses import dataclass

from whence.derive.derivation import Derivation
from whence.derive.request import DeriveContext
from whence.derive.rewrite import RewrittenPlan
from whence.engine.engine import Query
from whence.engine.outcome import Outcome
from whence.engine.window_tables import WindowTables
from whence.plan.step import Step
from whence.store.store import Store

_SMALL = 32 << 20
"""Bytes of all files that a query reads; of fewer than that no cell is huge."""


@dataclass(frozen=True)
class Execution:
    """The files a run wrote with the ids it carried, and the rows of windows that were put aside meanwhile."""

    outcome: Outcome
    window_tables: WindowTables


def run_plan(context: DeriveContext, derivation: Derivation, rewritten: RewrittenPlan) -> Execution:
    """Write the plan back to Spark and evaluate it."""
    engine, query = context.engine, derivation.query
    frame, remembered = engine.write_remembering(query, rewritten.plan)
    most_rows = _most_rows(context.store, query, rewritten.plan)
    return Execution(engine.run(frame, rewritten.layout, derivation.run.staging, most_rows), remembered)


def _most_rows(store: Store, query: Query, plan: Step) -> int | None:
    """No more rows than this come out; None if what they hold may be large."""
    read = (part.size for parent in query.parents for part in store.manifest(store.by_id(parent)).parts)
    return plan.most_rows if sum(read) <= _SMALL else None
