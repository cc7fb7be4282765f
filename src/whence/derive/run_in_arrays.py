"""Stage 6 without Spark: the marks of a chart that arrays can compute from the dataset's files."""

from __future__ import annotations

from dataclasses import replace

from whence.derive.derivation import Derivation, Execution, stage_result
from whence.derive.request import DeriveContext
from whence.engine.outcome import Outcome
from whence.engine.run_in_arrays import run_in_arrays
from whence.plan.grouped_query import grouped_query
from whence.store.parts import write_part


def run_plan_in_arrays(context: DeriveContext, derivation: Derivation) -> Derivation | None:
    """Compute and write the rows; None if the query is Spark's, as all are that carry ids, flags or messages."""
    rewritten = stage_result(derivation.rewritten)
    if not derivation.request.may_run_in_arrays or rewritten.windows:
        return None
    layout = rewritten.layout
    if layout.stored_names != list(layout.names) or layout.has_ghosts or layout.id_columns:
        return None
    query = grouped_query(rewritten.plan)
    table = None if query is None else run_in_arrays(context.store, query, derivation.schema)
    if table is None:
        return None
    staging = derivation.run.staging
    staging.mkdir(parents=True, exist_ok=True)
    part = write_part(staging / "rows.parquet", table.to_batches(), table.schema)
    outcome = Outcome.of((part,), layout, set())
    return replace(derivation, execution=Execution(outcome, None))
