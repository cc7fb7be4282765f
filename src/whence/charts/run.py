"""Runs a compiled chart: its marks become a dataset, with lineage and caveats like any other."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from whence.caveats.capture import Capture
from whence.caveats.derive import derive_query
from whence.charts.compile import Compiled, compile_spec
from whence.charts.source import filled
from whence.charts.spec import Spec
from whence.charts.workspace_source import WorkspaceSource
from whence.engine.engine import Engine
from whence.model.dataset import DatasetRecord
from whence.store.store import Store

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
    is_new: bool


def reopen_chart(
    store: Store, engine: Engine, record: DatasetRecord, spec: Spec, marks: DatasetRecord, scope: Scope
) -> Drawn:
    """Return the chart that stored marks belong to, without computing or writing them.

    The marks stand for themselves: they may be of a random sample, or carry a name that only a notebook may write.
    """
    is_scratch = any(each.id == marks.id for each in store.scratch_versions(marks.name))
    source = WorkspaceSource(
        store, engine, record, marks.name, Capture(can_ask_again=True), scope, is_scratch=is_scratch
    )
    return Drawn(marks, compile_spec(spec, source), source, is_new=False)


def run_chart(
    store: Store,
    engine: Engine,
    record: DatasetRecord,
    spec: Spec,
    name: str,
    capture: Capture,
    scope: Scope = None,
    *,
    is_scratch: bool = False,
) -> Drawn:
    """The marks of a chart over a dataset; one that was made before is not made again.

    Layers find other datasets in the scope, or without one among the current ones of the workspace.
    """
    source = WorkspaceSource(store, engine, record, name, capture, scope, is_scratch=is_scratch)
    compiled = compile_spec(spec, source)
    text = filled(compiled.sql, source.table)
    kept = None if source.has_samples else source.made_before(name, text)
    if kept is not None:
        return Drawn(kept, compiled, source, is_new=False)
    if source.has_samples:
        capture = replace(capture, can_ask_again=False)
    written = json.loads(json.dumps(spec.json, default=str))
    query = engine.read(engine.sql_over(source.records, text))
    made = derive_query(
        store,
        engine,
        query,
        name,
        "chart",
        text,
        capture=capture,
        documents={DOCUMENT: {"spec": written, "data": record.id}},
    )
    return Drawn(made, compiled, source, is_new=True)
