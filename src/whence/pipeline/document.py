"""The steps of a pipeline as they are kept with its result: all that provenance needs, and no value of a cell."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from whence.model.dataset import DatasetRecord
from whence.model.schema import Field, Schema
from whence.pipeline.segment import Segment
from whence.pipeline.step import Step
from whence.transformations.template import Template

DOCUMENT = "pipeline"


def to_document(name: str, base: DatasetRecord, segments: Sequence[Segment]) -> dict[str, object]:
    """All steps so far, by the version their rows are rows of."""
    return {
        "name": name,
        "input": base.id,
        "segments": [
            {
                "base": segment.base.id,
                "steps": [_step(step) for step in segment.steps],
                "closing": None if segment.closing is None else _step(segment.closing),
            }
            for segment in segments
        ],
    }


def _step(step: Step) -> dict[str, object]:
    operation, applied = step.operation, step.applied
    content: dict[str, Any] = {
        "kind": operation.kind,
        "description": operation.description,
        "in": list(operation.columns_in),
        "out": list(operation.columns_out),
        "code": operation.code,
        "line": operation.line,
        "columns": columns_out(step.before, step.after),
        "sql": {each.name: each.sql for each in applied.outputs if each.sql != f"`{each.name}`"},
        "templates": [_template(template) for template in applied.templates],
    }
    if applied.below:
        content["below"] = [[[each.name, each.sql] for each in stage] for stage in applied.below]
    if applied.sieve is not None:
        content["sieve"] = asdict(applied.sieve)
    if applied.whole is not None:
        whole = applied.whole
        content["whole"] = {
            "query": whole.query,
            "others": [other.id for other in whole.others],
            "continues": whole.continues,
            "adds": whole.adds,
            "mentions": whole.mentions,
            "drops": whole.drops,
        }
    if applied.renamed:
        content["renamed"] = dict(applied.renamed)
    if applied.replaced:
        content["replaced"] = list(applied.replaced)
    if applied.template_reading != "touched":
        content["reading"] = applied.template_reading
    plain: dict[str, object] = json.loads(json.dumps(content, default=str))
    return plain


def _template(template: Template) -> list[object]:
    reads = [
        [each.column, each.role, each.source, each.only, *([each.around] if each.around else [])]
        for each in template.reads
    ]
    return [reads, list(template.writes), [asdict(each) for each in template.statistics]]


def columns_out(before: Schema, after: Schema) -> list[object]:
    """The columns after a step: the place of one that was there before, the name and type of another."""
    places = {field: place for place, field in enumerate(before)}
    return [places.get(field, [field.name, field.type]) for field in after]


def columns_in(before: Schema, content: Sequence[Any]) -> Schema:
    """The columns as `columns_out` wrote them."""
    return Schema(tuple(before.fields[each] if isinstance(each, int) else Field(*each) for each in content))
