"""Finds the operations that were applied to a feature, a record or an item (one value of a record)."""

from __future__ import annotations

from whence.pipeline.features import Feature, Features
from whence.pipeline.operation import Operation
from whence.pipeline.step import PipelineStep
from whence.pipeline.table_states import NO_ID
from whence.pipeline.trail import Trail
from whence.transformations.template import Reading


def feature_operations(trail: Trail, features: Features, name: str) -> list[Operation]:
    """Return the operations that made, wrote, read or dropped the column; row filters are not among them."""
    chosen = features.find(name)
    return [step.operation for step in trail.steps if any(_concerns(step, each) for each in chosen)]


def record_operations(trail: Trail, record: int, reading: Reading = "changed") -> list[Operation]:
    """Return the operations on a record, in order: those that wrote or dropped its cells, and row operations."""
    born, died = int(trail.births[record]), int(trail.deaths[record])
    found = []
    for step in trail.steps[max(born, 0) :]:
        if _is_on_record(trail, step, record, reading, is_birth=step.index == born):
            found.append(step.operation)
        if step.index == died:
            if not found or found[-1] is not step.operation:
                found.append(step.operation)
            break
    return found


def item_operations(
    trail: Trail, features: Features, record: int, name: str, reading: Reading = "changed"
) -> list[Operation]:
    """Return the column operations on one item, in order, while its record exists."""
    chosen = features.find(name)
    born, died = int(trail.births[record]), int(trail.deaths[record])
    end = len(trail.steps) if died == NO_ID else died
    return [
        step.operation
        for step in trail.steps[max(born, 0) : end + 1]
        if any(_is_on_item(trail, step, record, each, reading) for each in chosen)
        and (step.index != died or step.plan.row_filter is None)
    ]


def _concerns(step: PipelineStep, feature: Feature) -> bool:
    before, after = feature.names.get(step.index), feature.names.get(step.index + 1)
    new_rows = step.plan.new_rows
    if new_rows is not None and new_rows.adds:
        return False
    is_read = before is not None and any(before in each.columns for each in step.plan.templates)
    is_written = after is not None and after in step.plan.written
    return is_read or is_written or feature.died == step.index or feature.born == step.index or before != after


def _is_on_item(trail: Trail, step: PipelineStep, record: int, feature: Feature, reading: Reading) -> bool:
    new_rows = step.plan.new_rows
    if new_rows is not None and new_rows.adds:
        return int(trail.births[record]) == step.index and step.index + 1 in feature.names
    if feature.died == step.index:
        return int(trail.births[record]) < step.index
    if feature.born == step.index:
        return int(trail.deaths[record]) != step.index
    before, after = feature.names.get(step.index), feature.names.get(step.index + 1)
    if before is None or after is None:
        return False
    if after in step.plan.written and (reading == "touched" or _is_changed(trail, step, record, after)):
        return True
    counts_all = reading == "touched" or step.plan.template_reading == "touched"
    return any(
        counts_all or _is_changed(trail, step, record, name)
        for template in step.plan.templates
        if before in {read.column for read in template.reads if read.source == 0}
        for name in template.writes
        if name != after
    )


def _is_changed(trail: Trail, step: PipelineStep, record: int, name: str) -> bool:
    row = trail.row_of(record, step.index + 1)
    return row != NO_ID and bool(trail.changed(step, name)[row])


def _is_on_record(trail: Trail, step: PipelineStep, record: int, reading: Reading, *, is_birth: bool) -> bool:
    if is_birth or step.plan.row_filter is not None or step.gone or step.created:
        return True
    new_rows = step.plan.new_rows
    if new_rows is not None and (new_rows.adds or not step.plan.written):
        return not new_rows.adds
    if reading == "touched" and step.plan.written:
        return True
    row = trail.row_of(record, step.index + 1)
    return row != NO_ID and any(bool(trail.changed(step, name)[row]) for name in step.plan.written)
