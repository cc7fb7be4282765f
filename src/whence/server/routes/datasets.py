"""The route that lists the datasets of a workspace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from whence.server.access import access
from whence.server.routers import new_router
from whence.server.shared import SharedOfRequest
from whence.server.wiring import WholeWorkspace, WorkspaceOfApp
from whence.wire.datasets import Column, DatasetSummary, DatasetVersion, DoubtSummary

if TYPE_CHECKING:
    from whence.workspace.dataset import Dataset

router = new_router()


@router.get("/api/datasets")
@access("share")
def list_datasets(workspace: WorkspaceOfApp, whole: WholeWorkspace, shared: SharedOfRequest) -> list[DatasetSummary]:
    """Return every dataset of the workspace at its current version, in the order they were made."""
    datasets = workspace.datasets()
    if shared is None:
        makers = whole.dataset_makers()
        return [summary_of(dataset, makers.get(dataset.name.lower())) for dataset in datasets]
    # A share link must not name datasets that it does not show, not even as parents.
    shown = {dataset.record.id for dataset in shared.datasets}
    return [_summary(each, [one for one in each.parents() if one.record.id in shown], shared.name) for each in datasets]


def summary_of(dataset: Dataset, notebook: str | None = None) -> DatasetSummary:
    """Return the summary of a dataset, with all datasets it was made from, and the notebook that makes it."""
    return _summary(dataset, dataset.parents(), notebook)


def _summary(dataset: Dataset, parents: Sequence[Dataset], notebook: str | None) -> DatasetSummary:
    """Return the summary of a dataset with only these of its parents."""
    record, doubt = dataset.record, dataset.caveats.doubt
    return DatasetSummary(
        name=dataset.name,
        version=dataset.version,
        rows=dataset.count,
        columns=[Column(name=field.name, type=field.type) for field in dataset.schema],
        origin=record.origin,
        text=record.text,
        doubt=DoubtSummary(
            columns=[name for name in dataset.schema.names if name in doubt.columns],
            rows=doubt.rows,
            row_set=doubt.row_set,
        ),
        exact=dataset.lineage.exact,
        parents=[parent.name for parent in parents],
        made_from=[DatasetVersion(name=parent.name, version=parent.version) for parent in parents],
        notebook=notebook,
    )
