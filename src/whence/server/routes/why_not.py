"""The route that says why an expected row is missing: what became of the source rows it should have come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whence.model.errors import UserError
from whence.server.access import access
from whence.server.routers import new_router
from whence.server.values import to_json
from whence.server.wiring import WholeWorkspace, find
from whence.wire.datasets import DatasetVersion
from whence.wire.lineage import AskWhyNot, LostRow, RowFate, WhyNotAnswer

if TYPE_CHECKING:
    from whence.workspace.dataset import Dataset

router = new_router()

MOST_FOLLOWED = 3
MOST_ROWS = 10


@router.post("/api/datasets/{name:path}/why-not")
@access("session")
def ask_why_not(workspace: WholeWorkspace, name: str, asked: AskWhyNot) -> WhyNotAnswer:
    """Return where rows of an ancestor went: the rows made from them, or the step and condition that left them out."""
    dataset = find(workspace, name, asked.version)
    target = dataset.context.readers.targets.ancestor(dataset.record, asked.source)
    if (asked.row is None) == (asked.where is None):
        raise UserError("Say which row is looked for.", "Give either `row` or `where`.")
    rows = [asked.row or 0] if asked.where is None else dataset.context.engine.rids_where(target, asked.where)
    return WhyNotAnswer(
        source=DatasetVersion(name=target.name, version=target.version),
        matched=len(rows),
        fates=[_fate(dataset, target.label, row) for row in rows[:MOST_FOLLOWED]],
    )


def _fate(dataset: Dataset, source: str, row: int) -> RowFate:
    """Return what became of one row of an ancestor."""
    found = dataset.lineage.why_not(source, row)
    return RowFate(
        row=row,
        count=found.rows.count,
        rows=found.rows.selection.page(0, MOST_ROWS).tolist(),
        losses=[
            LostRow(
                dataset=loss.dataset,
                row=loss.row,
                into=loss.into,
                step=loss.step,
                condition=loss.condition,
                values={name: to_json(value) for name, value in loss.values.items()},
            )
            for loss in found.losses
        ],
    )
