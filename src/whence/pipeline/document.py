"""Serialises the steps of a pipeline to the document stored with its result; `read_document` reads it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from whence.model.dataset import DatasetRecord
from whence.model.schema import Schema
from whence.pipeline.segment import Segment
from whence.pipeline.step import PipelineStep
from whence.plan.sql_text import quoted
from whence.transformations.plan import Guess, NewRows
from whence.transformations.template import Template

DOCUMENT = "pipeline"


def to_document(name: str, base: DatasetRecord, segments: Sequence[Segment]) -> dict[str, object]:
    """Return all steps so far as a document, by segment; each segment names the version it starts from."""
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


def to_recipe(steps: Sequence[PipelineStep]) -> str:
    """Return all that decides which query the steps make, as one text; empty if a step calls a Python function.

    Steps with equal recipes over the same versions make the same query, in any session.
    """
    if any(step.plan.new_rows is not None and step.plan.new_rows.functions for step in steps):
        return ""
    return json.dumps([[_query(step), [asdict(note) for note in step.plan.notes]] for step in steps], default=str)


def _step(step: PipelineStep) -> dict[str, object]:
    operation, plan = step.operation, step.plan
    content: dict[str, Any] = {
        "kind": operation.kind,
        "description": operation.description,
        "in": list(operation.columns_in),
        "out": list(operation.columns_out),
        "code": operation.code,
        "line": operation.line,
        "templates": [_template(template) for template in plan.templates],
        **_query(step),
    }
    if plan.renamed:
        content["renamed"] = dict(plan.renamed)
    if plan.replaced:
        content["replaced"] = list(plan.replaced)
    if plan.template_reading != "touched":
        content["reading"] = plan.template_reading
    # A learned value that JSON has no form for, such as a date, becomes text.
    plain: dict[str, object] = json.loads(json.dumps(content, default=str))
    return plain


def _query(step: PipelineStep) -> dict[str, object]:
    """Return the part of a step that its query depends on."""
    plan = step.plan
    content: dict[str, object] = {
        "columns": columns_out(step.before, step.after),
        "sql": {each.name: each.sql for each in plan.outputs if each.sql != quoted(each.name)},
    }
    if plan.below:
        content["below"] = [[[each.name, each.sql] for each in stage] for stage in plan.below]
    if plan.guesses:
        content["guesses"] = [_guess(each) for each in plan.guesses]
    if plan.row_filter is not None:
        content["row_filter"] = asdict(plan.row_filter)
    if plan.new_rows is not None:
        content["new_rows"] = _new_rows(plan.new_rows)
    return content


def _new_rows(new_rows: NewRows) -> dict[str, object]:
    return {
        "query": new_rows.query,
        "others": [other.id for other in new_rows.others],
        "continues": new_rows.continues,
        "adds": new_rows.adds,
        "mentions": new_rows.mentions,
        "drops": new_rows.drops,
    }


def _template(template: Template) -> list[object]:
    reads = [
        [each.column, each.role, each.source, each.only, *([each.around] if each.around else [])]
        for each in template.reads
    ]
    return [reads, list(template.writes), [asdict(each) for each in template.statistics]]


def columns_out(before: Schema, after: Schema) -> list[object]:
    """Write the columns after a step: the place of one that was there before, the name and type of another."""
    places = {field: place for place, field in enumerate(before)}
    return [places.get(field, [field.name, field.type]) for field in after]


def _guess(guess: Guess) -> list[str | None]:
    """The parts of a guess; its range only where it has one."""
    parts = [guess.column, guess.family, guess.when, guess.message]
    if guess.low is None and guess.high is None:
        return parts
    return [*parts, guess.low, guess.high, *([] if guess.among is None else [guess.among])]
