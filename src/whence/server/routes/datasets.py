"""Answers which datasets there are."""

from __future__ import annotations

from whence.server.handles import DatasetHandle
from whence.server.models import Column, DatasetSummary, DatasetVersion, DoubtSummary
from whence.server.wiring import WorkspaceOfApp


def list_datasets(workspace: WorkspaceOfApp) -> list[DatasetSummary]:
    """Every dataset of the workspace at its current version, in the order they were made."""
    return [_summary(dataset) for dataset in workspace.datasets()]


def _summary(dataset: DatasetHandle) -> DatasetSummary:
    record, parents = dataset.record, dataset.parents()
    return DatasetSummary(
        name=dataset.name,
        version=dataset.version,
        rows=dataset.count,
        columns=[Column(name=field.name, type=field.type) for field in dataset.schema],
        origin=record.origin,
        text=record.text,
        doubt=DoubtSummary(
            columns=[name for name in dataset.schema.names if name in record.doubt.columns],
            rows=record.doubt.rows,
            row_set=record.doubt.row_set,
        ),
        exact=dataset.lineage.exact,
        parents=[parent.name for parent in parents],
        made_from=[DatasetVersion(name=parent.name, version=parent.version) for parent in parents],
    )
