"""Reads a pipeline from the history of any dataset: the steps stored with it, or one step for each query.

A query's column map gives its templates and its lineage relates its rows, so datasets that no pipeline made answer
the same questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from whence.lineage.document import LineageDocument
from whence.lineage.edges import Edges
from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.model.ids import DatasetId
from whence.pipeline.document import DOCUMENT
from whence.pipeline.operation import Operation
from whence.pipeline.read_document import Count, read_segments
from whence.pipeline.segment import Segment
from whence.pipeline.step import PipelineStep
from whence.store.store import Store
from whence.transformations.input_table import join_names
from whence.transformations.plan import NewRows, TransformationPlan
from whence.transformations.template import Read, Statistic, Template

_KINDS = {"sql": "query", "dataset": "query", "lens": "lens", "python": "python", "caveat": "caveat", "sheet": "sheet"}


@dataclass(frozen=True)
class _StoredVersion:
    """A stored version on the way to a dataset, and the document of its steps, if it has one."""

    record: DatasetRecord
    document: Mapping[str, Any] | None


def read_history(
    store: Store, edges: Edges, record: DatasetRecord, since: DatasetRecord | None, count: Count
) -> list[Segment]:
    """Return the segments from the oldest version (or `since`) to this one, along the first input of each query."""
    way: list[_StoredVersion] = []
    here = record
    while since is None or here.id != since.id:
        document = store.document(here, DOCUMENT)
        if document is not None:
            # The document covers all steps of the pipeline, so the search goes on at its input.
            way.append(_StoredVersion(here, document))
            here = store.by_id(DatasetId(str(document["input"])))
            continue
        sources = edges.sources(here)
        if not sources:
            break
        way.append(_StoredVersion(here, None))
        here = edges.record(sources[0])
    if since is not None and here.id != since.id:
        raise UserError(f"{since.label} is not on the way to {record.label}.", "Leave since= out, or name an input.")
    if not way:
        raise UserError(f"{record.label} was loaded or created; no step made it.", "Start a pipeline on it.")
    segments: list[Segment] = []
    for version in reversed(way):
        number = sum(len(segment.every_step) for segment in segments)
        if segments and segments[-1].closing is None and segments[-1].out is not None:
            _close(segments[-1], segments[-1].out, number, count)
            number += 1
        if version.document is None:
            segments.append(_query_segment(edges, version.record, number, count))
        else:
            segments += read_segments(store, version.record, version.document, number, count)
    return segments


def _close(segment: Segment, record: DatasetRecord, number: int, count: Count) -> None:
    """Close a segment whose stored result another step reads: storing it counts as a step of its own."""
    plan = TransformationPlan(f"Kept as {record.label}.", (), new_rows=NewRows())
    operation = Operation(
        index=number,
        kind="keep",
        description=plan.description,
        columns_in=(),
        columns_out=(),
        code="",
        line=record.label,
        count=lambda: count(number),
    )
    segment.closing = PipelineStep(operation, plan, record.schema, record.schema)


def _query_segment(edges: Edges, record: DatasetRecord, number: int, count: Count) -> Segment:
    document = edges.document(record)
    if document is None:
        raise UserError(f"{record.label} has no history.")
    base = edges.record(document.sources[0])
    real = document.sources[: document.leaf_count]
    own = tuple(leaf for leaf, source in enumerate(real) if source == base.id)
    others = [leaf for leaf in range(len(real)) if leaf not in own]
    places = dict.fromkeys(own, 0) | {leaf: place for place, leaf in enumerate(others, 1)}
    # Reversed, so that the first leaf wins where a query reads a dataset several times.
    of_dataset = {document.sources[leaf]: place for leaf, place in reversed(places.items())}
    # A source after the leaves is one of them behind a FILTER clause (see `LineageDocument.leaf_count`).
    places |= {leaf: of_dataset[document.sources[leaf]] for leaf in range(len(real), len(document.sources))}
    is_grouped = document.is_global or any(use.role == "grouped" for use in document.row)
    templates, renamed = _templates(document, base, places, is_grouped)
    new_rows = NewRows(
        others=tuple(edges.record(real[leaf]) for leaf in others),
        continues=not is_grouped and document.is_exact,
        leaves=(own, *((leaf,) for leaf in others)),
        drops="it became part of a group" if is_grouped else f"the query did not let it through: {record.text.strip()}",
    )
    plan = TransformationPlan(_sentence(record, templates), (), templates, renamed=renamed, new_rows=new_rows)
    operation = Operation(
        index=number,
        kind=_KINDS.get(record.origin, record.origin),
        description=plan.description,
        columns_in=tuple(dict.fromkeys(name for template in templates for name in template.columns)),
        columns_out=plan.written,
        code=record.text.strip(),
        line=record.label,
        is_inferred="inferred" in document.strategy,
        count=lambda: count(number),
    )
    return Segment(base, [], PipelineStep(operation, plan, base.schema, record.schema), record)


def _sentence(record: DatasetRecord, templates: Sequence[Template]) -> str:
    """Return what made a version: its query, or the computed columns of a DataFrame, which has no text."""
    text = " ".join(record.text.split())
    if not text:
        text = "; ".join(
            f"{join_names(each.writes)} from {join_names(each.columns) or 'nothing'}" for each in templates
        )
    return f"Made {record.label}{': ' + text if text else ''}"


def _templates(
    document: LineageDocument, base: DatasetRecord, places: Mapping[int, int], is_grouped: bool
) -> tuple[tuple[Template, ...], dict[str, str]]:
    """Return a template for each column that is not just passed on, and the columns passed on under a new name."""
    templates, renamed = [], {}
    names = set(document.values)
    limited = len(document.sources) if document.leaf_count is None else document.leaf_count
    for name, uses in document.values.items():
        reads = tuple(
            Read(use.column, use.role, places[use.source], leaf=use.source if use.source >= limited else None)
            for use in sorted(uses, key=lambda each: (each.source, each.column, each.role))
        )
        seen = sorted({use.column for use in uses if _is_everything(document, base, use.source)})
        if seen:
            own = (Read(name),) if base.schema.position(name) is not None else ()
            templates.append(Template((*own, *reads), (name,), (Statistic("what the code read", tuple(seen)),)))
            continue
        copied = [read for read in reads if read.role == "copied" and read.source == 0]
        if not is_grouped and len(reads) == len(copied) == 1:
            (old,) = (read.column for read in copied)
            if old == name:
                continue
            # A rename only if the old name is gone and the new one was free; anything else is a copy.
            if old not in names and old not in renamed and base.schema.position(name) is None:
                renamed[old] = name
                continue
        templates.append(Template(reads, (name,)))
    return tuple(templates), renamed


def _is_everything(document: LineageDocument, base: DatasetRecord, source: int) -> bool:
    """Whether a use stands for all rows of the table before, because their lineage was not captured."""
    return source in document.pruned_sources and document.sources[source] == base.id
