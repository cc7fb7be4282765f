"""Draws a stored chart again over inputs without the forgotten rows, or says why that cannot be done."""

from __future__ import annotations

from typing import Any

from whence.charts.parse import parse
from whence.charts.run import DOCUMENT, run_chart
from whence.charts.workspace_source import SAMPLE
from whence.model.dataset import DatasetRecord
from whence.model.errors import WhenceError
from whence.model.ids import DatasetId
from whence.workspace.context import Context
from whence.workspace.forgetting.new_versions import NewVersions


def why_no_chart(context: Context, record: DatasetRecord) -> str | None:
    """Return why a chart cannot be drawn again from what is stored, or None if it can."""
    document: dict[str, Any] | None = context.store.document(record, DOCUMENT)
    if document is None:
        return "it is a step of a chart"
    if SAMPLE in record.text:
        return "it shows a random sample"
    parents = [context.store.by_id(parent) for parent in record.parents]
    if any(_is_step(context, each) for each in parents):
        return "the chart was computed in several steps"
    known = {each.name.lower() for each in parents} | {context.store.by_id(_data(document)).name.lower()}
    if len({*record.parents, _data(document)}) > len(known):
        return "it reads two versions of one name"
    try:
        spec = parse(document["spec"])
    except WhenceError:
        return "its specification is one of another version of whence"
    named = {each.data.name.lower() for each in spec.layers if each.data.name}
    return None if named <= known else "it reads other datasets now"


def chart_again(context: Context, record: DatasetRecord, new: NewVersions) -> DatasetRecord:
    """Draw a chart over the new versions of its datasets, with scales and bins from the rows that stay."""
    document: dict[str, Any] = context.store.document(record, DOCUMENT) or {}
    spec = parse(document["spec"])
    parents = {each.name.lower(): new.of(each) for each in map(context.store.by_id, record.parents)}
    names = [each.data.name for each in spec.layers if each.data.name]
    data = new.of(context.store.by_id(_data(document)))
    scope = {name: parents.get(name.lower(), data) for name in names}
    return run_chart(context.derive, data, spec, record.name, scope).record


def _data(document: dict[str, Any]) -> DatasetId:
    return DatasetId(document["data"])


def _is_step(context: Context, record: DatasetRecord) -> bool:
    return record.origin == "chart" and context.store.document(record, DOCUMENT) is None
