"""The main path: makes a dataset from a query, with its rows, their lineage and their marks."""

from __future__ import annotations

from whence.derive.choose_capture import choose_capture
from whence.derive.coarse import coarse_draft
from whence.derive.derivation import begin_run
from whence.derive.draft import exact_draft
from whence.derive.publish import follow_up, publish
from whence.derive.read_plan import read_plan
from whence.derive.request import DeriveContext, Request
from whence.derive.reuse import reuse_result, with_fingerprint
from whence.derive.run_rewritten import run_rewritten
from whence.model.dataset import DatasetRecord


def derive(context: DeriveContext, request: Request) -> DatasetRecord:
    """Run a query over datasets of this workspace and store what it gives.

    The stages are the files of this package: read_plan, reuse, choose_capture, rewrite, run, draft (coarse where an
    operator has no rule), publish. Each takes what the ones before have found and changes none of it.
    """
    with begin_run(context.store, request.origin, request.name) as run:
        derivation = with_fingerprint(context, read_plan(context, request, run))
        draft = reuse_result(context, derivation)
        if draft is None and derivation.query.read.plan is None:
            draft = coarse_draft(context, derivation)
        elif draft is None:
            chosen = choose_capture(context, derivation)
            rewritten, execution = run_rewritten(context, derivation, chosen)
            draft = exact_draft(context, derivation, rewritten, execution)
        record = publish(context, derivation, draft)
    follow_up(context, derivation, record)
    return record
