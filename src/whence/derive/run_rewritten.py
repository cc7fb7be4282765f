"""Stage 6 with its second try: the plan is written and run, with cautious flags where the usual ones made it fail."""

from __future__ import annotations

import shutil

from whence.derive.derivation import Derivation, stage_result
from whence.derive.request import DeriveContext
from whence.derive.rewrite import rewrite_plan
from whence.derive.rule_failure import guard_rules
from whence.derive.run import run_plan, write_plan
from whence.model.errors import BadQuery


def run_rewritten(context: DeriveContext, derivation: Derivation) -> Derivation:
    """Write and run the plan; where flags made it fail, rewrite it with cautious flags and run it once more."""
    engine = context.engine
    with guard_rules(engine, "write"):
        written = write_plan(context, derivation)
    with guard_rules(engine, "run"):
        try:
            return run_plan(context, written)
        except BadQuery:
            if not stage_result(derivation.rewritten).carries_flags:
                raise
    shutil.rmtree(derivation.run.staging, ignore_errors=True)  # parts that the failed run has written
    derivation.run.staging.mkdir()
    with guard_rules(engine, "rewrite"):
        cautious = rewrite_plan(derivation, is_cautious=True)
    with guard_rules(engine, "write"):
        written = write_plan(context, cautious)
    with guard_rules(engine, "run"):
        return run_plan(context, written)
