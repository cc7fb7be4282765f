"""Reads the steps of a pipeline that are stored with its result, as `document` wrote them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from whence.model.cellref import Role
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.model.schema import Field, Schema
from whence.pipeline.operation import Counts, Operation
from whence.pipeline.segment import Segment
from whence.pipeline.step import PipelineStep
from whence.plan.sql_text import quoted
from whence.store.store import Store
from whence.transformations.plan import Guess, NewRows, Output, RowFilter, TransformationPlan
from whence.transformations.template import Read, Reading, Statistic, Template

Count = Callable[[int], Counts]
"""Returns the counts of the step at an index."""


def read_segments(
    store: Store, record: DatasetRecord, document: Mapping[str, Any], number: int, count: Count
) -> list[Segment]:
    """Return the segments of the pipeline that made a dataset; its first step gets this number."""
    segments: list[Segment] = []
    for content in document["segments"]:
        segment = read_segment(store, content, number, count)
        if segments:
            segments[-1].out = segment.base
        number += len(segment.every_step)
        segments.append(segment)
    segments[-1].out = record
    return segments


def read_segment(store: Store, content: Mapping[str, Any], number: int, count: Count) -> Segment:
    """Return one segment; its first step gets this number."""
    base = store.by_id(DatasetId(content["base"]))
    segment, schema = Segment(base), base.schema
    for each in content["steps"]:
        step = _read_step(store, each, schema, number, count)
        segment.steps.append(step)
        schema, number = step.after, number + 1
    if content["closing"] is not None:
        segment.closing = _read_step(store, content["closing"], schema, number, count)
    return segment


def _read_step(store: Store, content: Mapping[str, Any], before: Schema, number: int, count: Count) -> PipelineStep:
    after = columns_in(before, content["columns"])
    new_rows = content.get("new_rows")
    plan = TransformationPlan(
        content["description"],
        tuple(Output(name, content["sql"].get(name, quoted(name))) for name in after.names),
        tuple(_template(each) for each in content["templates"]),
        tuple(Guess(*each) for each in content.get("guesses", ())),
        below=tuple(tuple(Output(*each) for each in stage) for stage in content.get("below", ())),
        row_filter=_row_filter(content.get("row_filter")),
        renamed=content.get("renamed", {}),
        replaced=tuple(content.get("replaced", ())),
        new_rows=None if new_rows is None else _new_rows(store, new_rows),
        template_reading=cast(Reading, content.get("reading", "touched")),
    )
    operation = Operation(
        index=number,
        kind=content["kind"],
        description=content["description"],
        columns_in=tuple(content["in"]),
        columns_out=tuple(content["out"]),
        code=content["code"],
        line=content["line"],
        count=lambda: count(number),
    )
    return PipelineStep(operation, plan, before, after)


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
                name=each["name"],
                columns=tuple(each["columns"]),
                value=each["value"],
                by=tuple(each["by"]),
                fills=each["fills"],
                non_null=tuple(each["non_null"]),
            )
            for each in statistics
        ),
    )  # fmt: skip


def _row_filter(content: Mapping[str, Any] | None) -> RowFilter | None:
    return None if content is None else RowFilter(**{**content, "tested": tuple(content["tested"])})


def _new_rows(store: Store, content: Mapping[str, Any]) -> NewRows:
    return NewRows(
        content["query"],
        tuple(store.by_id(DatasetId(each)) for each in content["others"]),
        content["continues"],
        content["adds"],
        content["mentions"],
        drops=content["drops"],
    )


def columns_in(before: Schema, content: Sequence[Any]) -> Schema:
    """Return the columns that `columns_out` wrote."""
    return Schema(tuple(before.fields[each] if isinstance(each, int) else Field(*each) for each in content))
