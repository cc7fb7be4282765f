"""Reads a pipeline off the history of any dataset: the steps that were kept with it, or one step for each query.

A query's templates are its column map, its rows are related by its lineage; so code that never heard of pipelines
answers the same questions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from whence.lineage.document import LineageDocument
from whence.lineage.edges import Edges
from whence.model.cellref import Role
from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.model.ids import DatasetId
from whence.model.schema import Schema
from whence.pipeline.document import DOCUMENT, columns_in
from whence.pipeline.operation import Counts, Operation
from whence.pipeline.segment import Segment
from whence.pipeline.step import Step
from whence.plan.sql_text import quoted
from whence.store.store import Store
from whence.transformations.applied import Applied, Drops, Output, Sieve, Whole
from whence.transformations.given import listed
from whence.transformations.template import Read, Reading, Statistic, Template

Count = Callable[[int], Counts]
_KINDS = {"sql": "query", "dataset": "query", "lens": "lens", "python": "python", "caveat": "caveat", "sheet": "sheet"}


@dataclass(frozen=True)
class _Kept:
    """A stored version on the way, and how its steps are written down."""

    record: DatasetRecord
    document: Mapping[str, Any] | None


def read_history(
    store: Store, edges: Edges, record: DatasetRecord, since: DatasetRecord | None, count: Count
) -> list[Segment]:
    """The segments from the oldest version (or `since`) to this one, along the first input of each query."""
    way: list[_Kept] = []
    here = record
    while since is None or here.id != since.id:
        document = store.document(here, DOCUMENT)
        if document is not None:
            way.append(_Kept(here, document))
            here = store.by_id(DatasetId(str(document["input"])))
            continue
        sources = edges.sources(here)
        if not sources:
            break
        way.append(_Kept(here, None))
        here = edges.record(sources[0])
    if since is not None and here.id != since.id:
        raise UserError(f"{since.label} is not on the way to {record.label}.", "Leave since= out, or name an input.")
    if not way:
        raise UserError(f"{record.label} was loaded or created; no step made it.", "Start a pipeline on it.")
    segments: list[Segment] = []
    for kept in reversed(way):
        number = sum(len(segment.every_step) for segment in segments)
        if segments and segments[-1].closing is None and segments[-1].out is not None:
            _close(segments[-1], segments[-1].out, number, count)
            number += 1
        if kept.document is None:
            segments.append(_query_segment(store, edges, kept.record, number, count))
        else:
            segments += _kept_segments(store, kept.record, kept.document, number, count)
    return segments


def _close(segment: Segment, record: DatasetRecord, number: int, count: Count) -> None:
    """A pipeline's result that another step reads: keeping it is the step between."""
    applied = Applied(f"Kept as {record.label}.", (), whole=Whole())
    operation = Operation(number, "keep", applied.description, (), (), "", record.label, count=lambda: count(number))
    segment.closing = Step(operation, applied, record.schema, record.schema)


def _query_segment(store: Store, edges: Edges, record: DatasetRecord, number: int, count: Count) -> Segment:
    document = edges.document(record)
    if document is None:
        raise UserError(f"{record.label} has no history.")
    base = edges.record(document.sources[0])
    real = document.sources[: document.leaf_count]
    own = tuple(leaf for leaf, source in enumerate(real) if source == base.id)
    others = [leaf for leaf in range(len(real)) if leaf not in own]
    places = dict.fromkeys(own, 0) | {leaf: place for place, leaf in enumerate(others, 1)}
    of_dataset = {document.sources[leaf]: place for leaf, place in reversed(places.items())}
    places |= {leaf: of_dataset[document.sources[leaf]] for leaf in range(len(real), len(document.sources))}
    is_grouped = document.is_global or any(use.role == "grouped" for use in document.row)
    templates, renamed = _templates(document, base, places, is_grouped)
    whole = Whole(
        others=tuple(edges.record(real[leaf]) for leaf in others),
        continues=not is_grouped and document.is_exact,
        leaves=(own, *((leaf,) for leaf in others)),
        drops="it became part of a group" if is_grouped else f"the query did not let it through: {record.text.strip()}",
    )
    applied = Applied(_sentence(record, templates), (), templates, renamed=renamed, whole=whole)
    operation = Operation(
        number,
        _KINDS.get(record.origin, record.origin),
        applied.description,
        tuple(dict.fromkeys(name for template in templates for name in template.columns)),
        applied.written,
        record.text.strip(),
        record.label,
        is_inferred="inferred" in document.strategy,
        count=lambda: count(number),
    )
    return Segment(base, [], Step(operation, applied, base.schema, record.schema), record)


def _sentence(record: DatasetRecord, templates: Sequence[Template]) -> str:
    """The query; of a DataFrame, which has no text, what was computed."""
    text = " ".join(record.text.split())
    if not text:
        text = "; ".join(f"{listed(each.writes)} from {listed(each.columns) or 'nothing'}" for each in templates)
    return f"Made {record.label}{': ' + text if text else ''}"


def _templates(
    document: LineageDocument, base: DatasetRecord, places: Mapping[int, int], is_grouped: bool
) -> tuple[tuple[Template, ...], dict[str, str]]:
    """A template for each column that is not simply passed on, and which columns were passed on under another name."""
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
            if old not in names and old not in renamed and base.schema.position(name) is None:
                renamed[old] = name
                continue
        templates.append(Template(reads, (name,)))
    return tuple(templates), renamed


def _is_everything(document: LineageDocument, base: DatasetRecord, source: int) -> bool:
    """A use of all rows of the table before, because nobody knows of which."""
    return source in document.pruned_sources and document.sources[source] == base.id


def _kept_segments(
    store: Store, record: DatasetRecord, document: Mapping[str, Any], number: int, count: Count
) -> list[Segment]:
    """The segments of a pipeline as they were kept with its result."""
    segments: list[Segment] = []
    for content in document["segments"]:
        base = store.by_id(DatasetId(content["base"]))
        if segments:
            segments[-1].out = base
        segment = Segment(base)
        schema = base.schema
        for each in content["steps"]:
            step = _kept_step(store, each, schema, number, count)
            segment.steps.append(step)
            schema, number = step.after, number + 1
        if content["closing"] is not None:
            segment.closing = _kept_step(store, content["closing"], schema, number, count)
            number += 1
        segments.append(segment)
    segments[-1].out = record
    return segments


def _kept_step(store: Store, content: Mapping[str, Any], before: Schema, number: int, count: Count) -> Step:
    after = columns_in(before, content["columns"])
    whole = content.get("whole")
    applied = Applied(
        content["description"],
        tuple(Output(name, content["sql"].get(name, quoted(name))) for name in after.names),
        tuple(_template(each) for each in content["templates"]),
        below=tuple(tuple(Output(*each) for each in stage) for stage in content.get("below", ())),
        sieve=_sieve(content.get("sieve")),
        renamed=content.get("renamed", {}),
        replaced=tuple(content.get("replaced", ())),
        whole=None if whole is None else _whole(store, whole),
        template_reading=cast(Reading, content.get("reading", "touched")),
    )
    operation = Operation(
        number,
        content["kind"],
        content["description"],
        tuple(content["in"]),
        tuple(content["out"]),
        content["code"],
        content["line"],
        count=lambda: count(number),
    )
    return Step(operation, applied, before, after)


def _template(content: Sequence[Any]) -> Template:
    reads, writes, statistics = content
    return Template(
        tuple(
            Read(column, cast(Role, role), source, None if only is None else (only[0], only[1]), around="".join(around))
            for column, role, source, only, *around in reads
        ),
        tuple(writes),
        tuple(
            Statistic(
                each["name"], tuple(each["columns"]), each["value"], tuple(each["by"]), each["fills"],
                tuple(each["given"]),
            )
            for each in statistics
        ),
    )  # fmt: skip


def _sieve(content: Mapping[str, Any] | None) -> Sieve | None:
    if content is None:
        return None
    drops = cast(Drops, content["drops"])
    tested, name = tuple(content["tested"]), content["helper_name"]
    return Sieve(content["keep"], tested, drops, content["said"], content["helper"], helper_name=name)


def _whole(store: Store, content: Mapping[str, Any]) -> Whole:
    return Whole(
        content["query"],
        tuple(store.by_id(DatasetId(each)) for each in content["others"]),
        content["continues"],
        content["adds"],
        content["mentions"],
        drops=content["drops"],
    )
