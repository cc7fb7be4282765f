"""Run a compiled chart: its marks become a dataset with lineage and caveats, like any other."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from whence.charts.compile import Compiled, compile_spec
from whence.charts.source import filled
from whence.charts.spec import Spec
from whence.charts.workspace_source import WorkspaceSource
from whence.derive.derive import derive
from whence.derive.request import DeriveContext, Request
from whence.model.dataset import DatasetRecord

DOCUMENT = "chart"
"""Name of the document with the specification, stored with the marks."""

Scope = Mapping[str, DatasetRecord] | None
"""The datasets that layers may name. None means the current ones of the workspace."""


@dataclass(frozen=True)
class Drawn:
    """The marks of a chart, its compiled query, and the datasets that the query reads."""

    record: DatasetRecord
    compiled: Compiled
    source: WorkspaceSource
    """The datasets that the chart's queries read."""


def reopen_chart(
    context: DeriveContext, record: DatasetRecord, spec: Spec, marks: DatasetRecord, scope: Scope
) -> Drawn:
    """Return the chart that stored marks belong to, without computing or writing them.

    The marks may show a random sample, or have a name that only a notebook may write, so they are taken as they are.
    """
    is_scratch = any(each.id == marks.id for each in context.store.scratch_versions(marks.name))
    source = WorkspaceSource(context, record, marks.name, scope, is_scratch=is_scratch)
    return Drawn(marks, compile_spec(spec, source), source)


def run_chart(
    context: DeriveContext,
    record: DatasetRecord,
    spec: Spec,
    name: str,
    scope: Scope = None,
    *,
    is_scratch: bool = False,
) -> Drawn:
    """Return the marks of a chart over a dataset. Marks of the same chart are reused, not computed again.

    Layers find other datasets in the scope, or without a scope among the current ones of the workspace.
    """
    source = WorkspaceSource(context, record, name, scope, is_scratch=is_scratch)
    compiled = compile_spec(spec, source)
    text = filled(compiled.sql, source.table)
    # As the store will return it, so that the stored specification compares equal.
    written: object = json.loads(json.dumps(spec.json, default=str))

    def has_same_spec(marks: DatasetRecord) -> bool:
        """Return whether stored marks belong to the same chart: one query may serve charts that look different."""
        return (context.store.document(marks, DOCUMENT) or {}).get("spec") == written

    # The name of a sample's view is random, so the text of such a query never repeats.
    known = None if source.has_samples else source.find_same_result(name, text, has_same_spec)
    if known is not None:
        return Drawn(known, compiled, source)
    request = Request(
        context.engine.sql_over(source.records, text),
        name,
        "chart",
        text,
        is_rerunnable=not source.has_samples,
        may_run_in_arrays=True,
        documents={DOCUMENT: {"spec": written, "data": record.id}},
    )
    made = derive(context, request)
    return Drawn(made, compiled, source)
