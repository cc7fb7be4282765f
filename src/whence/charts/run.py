"""Runs a compiled chart: its marks become a dataset, with lineage and caveats like any other."""

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

Scope = Mapping[str, DatasetRecord] | None
"""The datasets that layers may name; without one, the current ones of the workspace."""


@dataclass(frozen=True)
class Drawn:
    """The marks of a chart, and what they are."""

    record: DatasetRecord
    compiled: Compiled
    source: WorkspaceSource
    """What its queries read."""


def reopen_chart(
    context: DeriveContext, record: DatasetRecord, spec: Spec, marks: DatasetRecord, scope: Scope
) -> Drawn:
    """Return the chart that stored marks belong to, without computing or writing them.

    The marks stand for themselves: they may be of a random sample, or carry a name that only a notebook may write.
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
    """The marks of a chart over a dataset; one that was made before is not made again.

    Layers find other datasets in the scope, or without one among the current ones of the workspace.
    """
    source = WorkspaceSource(context, record, name, scope, is_scratch=is_scratch)
    compiled = compile_spec(spec, source)
    text = filled(compiled.sql, source.table)
    written: object = json.loads(json.dumps(spec.json, default=str))

    def has_same_spec(marks: DatasetRecord) -> bool:
        """Charts of one query may look different, and marks stand for one chart: its spec is stored beside them."""
        return (context.store.document(marks, DOCUMENT) or {}).get("spec") == written

    known = None if source.has_samples else source.find_same_result(name, text, has_same_spec)
    if known is not None:
        return Drawn(known, compiled, source)
    request = Request(
        context.engine.sql_over(source.records, text),
        name,
        "chart",
        text,
        is_rerunnable=not source.has_samples,
        documents={DOCUMENT: {"spec": written, "data": record.id}},
    )
    made = derive(context, request)
    return Drawn(made, compiled, source)
