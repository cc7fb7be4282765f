"""The main path: makes a dataset from a query, with its rows, their lineage and their doubt flags."""

from __future__ import annotations

from whence.derive.choose_capture import choose_capture
from whence.derive.coarse import coarse_draft, without_rules
from whence.derive.derivation import Derivation, begin_run, stage_result
from whence.derive.draft import exact_draft
from whence.derive.fallback import fallback_draft
from whence.derive.keep_rows import keep_rows
from whence.derive.publish import follow_up, publish
from whence.derive.read_plan import check_read, read_plan
from whence.derive.request import DeriveContext, Request
from whence.derive.reuse import reuse_result, with_fingerprint
from whence.derive.rewrite import rewrite_plan
from whence.derive.rule_failure import RuleFailure, guard_rules
from whence.derive.run_rewritten import run_rewritten
from whence.model.dataset import DatasetRecord
from whence.model.errors import NotRowByRow
from whence.store.draft import Draft


def derive(context: DeriveContext, request: Request) -> DatasetRecord:
    """Run a query over datasets of this workspace and store what it gives.

    The stages are the files of this package: read_plan, reuse, choose_capture, rewrite, run, draft (coarse where an
    operator has no rule, fallback where a rule failed), publish. Each adds what it found to one frozen `Derivation`.
    """
    with begin_run(context.store, request.origin, request.name) as run:
        kept = keep_rows(context, request, run)
        if kept is not None:
            derivation, draft = kept, exact_draft(context, kept)
        else:
            derivation = read_plan(context, request, run)
            try:
                draft = _draft_by_rules(context, derivation)
            except RuleFailure as failure:
                draft = fallback_draft(context, derivation, failure)
        record = publish(context, derivation, draft)
    follow_up(context, derivation, draft, record, is_kept=kept is not None)
    return record


def _draft_by_rules(context: DeriveContext, derivation: Derivation) -> Draft:
    """The stages that apply rules; `guard_rules` turns an internal error of one into a `RuleFailure`."""
    engine = context.engine
    check_read(derivation)
    with guard_rules(engine, "reuse"):
        derivation = with_fingerprint(context, derivation)
        draft = reuse_result(context, derivation)
    if draft is not None:
        return draft
    if derivation.query.read.plan is None:
        return coarse_draft(context, derivation)
    with guard_rules(engine, "rewrite"):
        derivation = rewrite_plan(context, choose_capture(context, derivation), adds_ranges=True)
    try:
        derivation = run_rewritten(context, derivation)
    except NotRowByRow as unseen:
        return coarse_draft(context, without_rules(derivation, unseen))
    with guard_rules(engine, "draft", stage_result(derivation.execution).outcome):
        return exact_draft(context, derivation)
