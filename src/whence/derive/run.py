"""Stage 6, run: Spark evaluates the rewritten plan once and writes rows, flags and ids."""

from __future__ import annotations

from dataclasses import replace

from whence.derive.derivation import Derivation, Execution, WrittenPlan, stage_result
from whence.derive.join_bounds import bound_joins
from whence.derive.request import DeriveContext
from whence.engine.query import Query
from whence.plan.step import Step
from whence.store.store import Store

_SMALL = 32 << 20
"""A query that reads fewer bytes than this from files gives no huge cell, so its rows can be collected."""

_FEW_ROWS = 100_000
"""A plan none of whose steps can give more rows than this runs faster without compiled code."""


def write_plan(context: DeriveContext, derivation: Derivation) -> Derivation:
    """Write the plan back to Spark, which analyses it."""
    rewritten = stage_result(derivation.rewritten)
    plan = rewritten.plan
    written, remembered = context.engine.write_remembering(derivation.query, plan)
    frame = context.engine.fit_ranges(written, rewritten.layout, derivation.schema)
    most_rows, is_small = _sizes(context.store, derivation.query, plan)
    return replace(derivation, written=WrittenPlan(frame, remembered, most_rows, is_small))


def run_plan(context: DeriveContext, derivation: Derivation) -> Derivation:
    """Let Spark evaluate the plan once and write rows, flags and ids to files."""
    layout, written = stage_result(derivation.rewritten).layout, stage_result(derivation.written)
    staging = derivation.run.staging
    outcome = context.engine.run(written.frame, layout, staging, written.most_rows, is_small=written.is_small)
    return replace(derivation, execution=Execution(outcome, written.window_tables))


def _sizes(store: Store, query: Query, plan: Step) -> tuple[int | None, bool]:
    """Return a bound of the rows, None if cells may be huge; and whether no step gives more than a few rows."""
    read = (part.size for parent in query.parents for part in store.manifest(store.by_id(parent)).parts)
    if sum(read) > _SMALL:
        return None, False
    if not _is_small(plan) and all(step.most_rows <= _FEW_ROWS for step in plan.walk() if not step.inputs):
        plan = bound_joins(store, plan)
    return plan.most_rows, _is_small(plan)


def _is_small(plan: Step) -> bool:
    return all(step.most_rows <= _FEW_ROWS for step in plan.walk())
