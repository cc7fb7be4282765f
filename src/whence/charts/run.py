"""Runs a compiled chart: its marks become a dataset, with lineage and caveats like any other."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.caveats.capture import Capture
from whence.caveats.derive import derive_query
from whence.charts.compile import Compiled, compile_spec
from whence.charts.spec import Spec
from whence.charts.workspace_source import WorkspaceSource, made_before
from whence.engine.engine import Engine
from whence.model.dataset import DatasetRecord
from whence.store.store import Store

DOCUMENT = "chart"


@dataclass(frozen=True)
class Drawn:
    """The marks of a chart, and what they are."""

    record: DatasetRecord
    compiled: Compiled
    sql: str
    """The query as it was run."""
    staged: tuple[DatasetRecord, ...]
    """Datasets on the way."""
    is_new: bool


def run_chart(store: Store, engine: Engine, record: DatasetRecord, spec: Spec, name: str, capture: Capture) -> Drawn:
    """The marks of a chart over a dataset; one that was made before is not made again."""
    source = WorkspaceSource(store, engine, record, name, capture)
    compiled = compile_spec(spec, source)
    text = source.filled(compiled.sql)
    parents = [each.id for each in source.records]
    kept = None if source.has_samples else made_before(store, name, text, parents)
    if kept is not None:
        return Drawn(kept, compiled, text, tuple(source.staged), is_new=False)
    if source.has_samples:
        capture = replace(capture, can_ask_again=False)
    query = engine.read(engine.sql_over(source.records, text))
    made = derive_query(
        store, engine, query, name, "chart", text, capture=capture, documents={DOCUMENT: {"spec": dict(spec.json)}}
    )
    return Drawn(made, compiled, text, tuple(source.staged), is_new=True)
