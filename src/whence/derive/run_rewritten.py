"""Stage 6 with its second try: the plan is written and run, and rewritten where its flags or ids made it fail."""

from __future__ import annotations

import shutil

from whence.derive.derivation import Derivation, stage_result
from whence.derive.request import DeriveContext
from whence.derive.rewrite import rewrite_plan
from whence.derive.rule_failure import guard_rules
from whence.derive.run import run_plan, write_plan
from whence.model.errors import BadQuery, OutOfMemory
from whence.plan.steps.window_rows import count_remembered


def run_rewritten(context: DeriveContext, derivation: Derivation) -> Derivation:
    """Write and run the plan; where flags or ids made it fail, rewrite it and run it once more.

    Flags may evaluate an expression on rows on which the query itself does not; cautious flags do not. Ids of groups
    that a join copies may need more memory than the rows of the query.
    """
    try:
        return _write_and_run(context, derivation)
    except (BadQuery, OutOfMemory) as error:
        with guard_rules(context.engine, "rewrite"):
            second = _with_cautious_flags(derivation) if isinstance(error, BadQuery) else _with_ids_aside(derivation)
        if second is None:
            raise
    shutil.rmtree(derivation.run.staging, ignore_errors=True)  # parts that the failed run has written
    derivation.run.staging.mkdir()
    return _write_and_run(context, second)


def _write_and_run(context: DeriveContext, derivation: Derivation) -> Derivation:
    with guard_rules(context.engine, "write"):
        written = write_plan(context, derivation)
    with guard_rules(context.engine, "run"):
        return run_plan(context, written)


def _with_cautious_flags(derivation: Derivation) -> Derivation | None:
    """Return the plan with cautious flags; None where it carried no flags that could have made it fail."""
    return rewrite_plan(derivation, is_cautious=True) if stage_result(derivation.rewritten).carries_flags else None


def _with_ids_aside(derivation: Derivation) -> Derivation | None:
    """Return the plan that copies no ids of groups; None where no join copied any."""
    second = rewrite_plan(derivation, saves_memory=True)
    before, after = (count_remembered(stage_result(each.rewritten).plan) for each in (derivation, second))
    return second if after > before else None
