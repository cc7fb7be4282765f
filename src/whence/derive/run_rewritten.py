"""Stage 6 with its second try: the plan is written and run, and rewritten where ranges, flags or ids made it fail."""

from __future__ import annotations

import shutil

from whence.derive.derivation import Derivation, stage_result
from whence.derive.request import DeriveContext
from whence.derive.rewrite import rewrite_plan
from whence.derive.rule_failure import RuleFailure, guard_rules
from whence.derive.run import run_plan, write_plan
from whence.derive.run_in_arrays import run_plan_in_arrays
from whence.engine.report_failure import report_failure
from whence.model.errors import BadQuery, OutOfMemory
from whence.plan.steps.window_rows import count_remembered


def run_rewritten(context: DeriveContext, derivation: Derivation) -> Derivation:
    """Write and run the plan; where ranges, flags or ids made it fail, rewrite it and run it once more.

    Ends of ranges may overflow where the query itself does not. Flags may evaluate an expression on rows on which the
    query itself does not; cautious flags do not. Ids of groups that a join copies may need more memory than the rows of
    the query.
    """
    if stage_result(derivation.rewritten).computes_bounds:
        try:
            return _write_and_run(context, derivation)
        except (BadQuery, OutOfMemory, RuleFailure):
            with guard_rules(context.engine, "rewrite"):
                derivation = rewrite_plan(context, derivation)
            _clear_staging(derivation)
    return _run_flagged(context, derivation)


def _run_flagged(context: DeriveContext, derivation: Derivation) -> Derivation:
    try:
        return _write_and_run(context, derivation)
    except (BadQuery, OutOfMemory) as error:
        with guard_rules(context.engine, "rewrite"):
            second = (_with_cautious_flags if isinstance(error, BadQuery) else _with_ids_aside)(context, derivation)
        if second is None:
            raise
    _clear_staging(derivation)
    return _write_and_run(context, second)


def _clear_staging(derivation: Derivation) -> None:
    """Remove the parts that a failed run has written."""
    shutil.rmtree(derivation.run.staging, ignore_errors=True)
    derivation.run.staging.mkdir()


def _write_and_run(context: DeriveContext, derivation: Derivation) -> Derivation:
    without_spark = _run_without_spark(context, derivation)
    if without_spark is not None:
        return without_spark
    with guard_rules(context.engine, "write"):
        written = write_plan(context, derivation)
    with guard_rules(context.engine, "run"):
        return run_plan(context, written)


def _run_without_spark(context: DeriveContext, derivation: Derivation) -> Derivation | None:
    """Return the rows that arrays compute; None if the query is Spark's, also after a fault of arrays."""
    try:
        with guard_rules(context.engine, "run"):
            return run_plan_in_arrays(context, derivation)
    except RuleFailure as failure:
        report_failure(context.store.layout, context.engine, failure.stage, failure.error, derivation.query)
        _clear_staging(derivation)
        return None


def _with_cautious_flags(context: DeriveContext, derivation: Derivation) -> Derivation | None:
    """Return the plan with cautious flags; None where it carried no flags that could have made it fail."""
    carries_flags = stage_result(derivation.rewritten).carries_flags
    return rewrite_plan(context, derivation, is_cautious=True) if carries_flags else None


def _with_ids_aside(context: DeriveContext, derivation: Derivation) -> Derivation | None:
    """Return the plan that copies no ids of groups; None where no join copied any."""
    second = rewrite_plan(context, derivation, saves_memory=True)
    before, after = (count_remembered(stage_result(each.rewritten).plan) for each in (derivation, second))
    return second if after > before else None
