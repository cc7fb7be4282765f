"""Stages 5 and 6 together: rewrite and run, once more with cautious marks where the usual ones made the query fail."""

from __future__ import annotations

import shutil

from whence.derive.choose_capture import ChosenCapture
from whence.derive.derivation import Derivation
from whence.derive.request import DeriveContext
from whence.derive.rewrite import RewrittenPlan, rewrite_plan
from whence.derive.run import Execution, run_plan
from whence.model.errors import BadQuery


def run_rewritten(
    context: DeriveContext, derivation: Derivation, chosen: ChosenCapture
) -> tuple[RewrittenPlan, Execution]:
    """Rewrite the plan and run it; an error that the query raises on its own rows, too, reaches the user."""
    rewritten = rewrite_plan(derivation, chosen)
    try:
        return rewritten, run_plan(context, derivation, rewritten)
    except BadQuery:
        if not rewritten.carries_marks:
            raise
    shutil.rmtree(derivation.run.staging, ignore_errors=True)  # parts that the failed run has written
    derivation.run.staging.mkdir()
    cautious = rewrite_plan(derivation, chosen, is_cautious=True)
    return cautious, run_plan(context, derivation, cautious)
